"""Pictures of the frozen pages under every look of the contact sheet."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.report import browser, contact_sheet


def photograph(folder: Path) -> None:
    """Take pictures of the pages in a folder, and write a file of their hashes for each page."""
    with browser.chromium() as driver:
        for page in sorted(folder.glob("*.html")):
            found = [contact_sheet.photograph(driver, page, look) for look in contact_sheet.LOOKS]
            found += contact_sheet.print_pages(driver, page)
            lines = [f"{one.file.name} {_digest(one.file)} {one.words}" for one in found]
            page.with_suffix(".txt").write_text("\n".join(lines), encoding="utf-8")


def _digest(picture: Path) -> str:
    from PIL import Image

    with Image.open(picture) as image:
        return hashlib.sha256(image.convert("RGB").tobytes()).hexdigest()


def show_differences(one: Path, other: Path, item: str) -> None:
    """Print where the pictures of a page differ, and write them with all that is equal dimmed."""
    from PIL import Image, ImageChops

    for picture in sorted((one / item).parent.glob(f"{Path(item).name}-*.png")):
        second, shown = other / "pixels" / picture.name, other / "differences" / picture.name
        if not second.exists():
            continue
        with Image.open(picture) as first_image, Image.open(second) as second_image:
            before, after = first_image.convert("RGB"), second_image.convert("RGB")
            size = max(before.width, after.width), max(before.height, after.height)
            canvas = [Image.new("RGB", size, "white") for _ in range(2)]
            canvas[0].paste(before)
            canvas[1].paste(after)
        difference = ImageChops.difference(*canvas).convert("L")
        if box := difference.getbbox():
            dimmed = Image.blend(canvas[1], Image.new("RGB", size, "white"), 0.7)
            changed = difference.point(lambda value: 255 * (value > 0))
            dimmed.paste(Image.new("RGB", size, "red"), mask=changed)
            shown.parent.mkdir(exist_ok=True)
            dimmed.save(shown)
            print(f"  {picture.name}: x {box[0]} to {box[2]}, y {box[1]} to {box[3]}; {shown}")
