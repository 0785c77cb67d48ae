"""A run without the gold: an upload is checked and accepted, and scored later, elsewhere.

The bundle command writes INPUT/ref of such a task: one file with the rules for submissions, which
tells no more than a starting kit does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from .core import catalogs
from .core.phrases import Phrase
from .data.joining.expected import WITHOUT_GOLD, SubmissionRules, as_document, as_rules
from .data.joining.format_check import check
from .report.scores import scores_json, scores_txt
from .report.write import write

_PAGE = """\
<!DOCTYPE html>
<html lang="{{ words.code }}" dir="{{ words.direction }}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{{ title }}</title>
<style>
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; }
.says { font-size: 1.2rem; }
</style>
</head>
<body>
<h1>{{ title }}</h1>
<p class="says">{{ sentences[0] }}</p>
{% for sentence in sentences[1:] %}
<p>{{ sentence }}</p>
{% endfor %}
</body>
</html>
"""


def packed(rules: SubmissionRules, title: str, code: str) -> bytes:
    """Return the content of `WITHOUT_GOLD`, for a page with a title in a language."""
    document = {"title": title, "language": code, "rules": as_document(rules)}
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def collect(source: Path, output: Path, log: Callable[[str], None]) -> None:
    """Check the upload in ``source`` and write that it was received: scores and a page.

    Raises
    ------
    SubmissionError
        The upload could not be scored, with every reason that shows without the gold.
    """
    document = json.loads((source / "ref" / WITHOUT_GOLD).read_text(encoding="utf-8"))
    rules = as_rules(document["rules"])
    checked = check(source / "res", rules)
    log(checked.message)
    scores = {"accepted": 1.0, "n_examples": float(checked.n)}
    write(
        output,
        {
            "detailed_results.html": _page(document, checked.n, [*checked.unchecked]),
            "scores.json": scores_json(scores),
            "scores.txt": scores_txt(scores),
        },
    )
    log("Received, not scored.")


def _page(document: dict[str, Any], examples: int, unchecked: list[Phrase]) -> str:
    words = catalogs.load(document["language"])
    sentences = (
        Phrase("This submission was received. It was not scored."),
        Phrase(
            "It can be scored: it was checked against {count:n} example of the test set.",
            "It can be scored: it was checked against {count:n} examples of the test set.",
            count=examples,
        ),
        Phrase(
            "The correct answers are not on this platform. The organizers score all submissions "
            "elsewhere."
        ),
        *unchecked,
    )
    made = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return made.from_string(_PAGE).render(
        words=words,
        title=document["title"],
        sentences=[words.say(item) for item in sentences],
    )
