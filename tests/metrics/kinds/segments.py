"""Texts to score: references, of some segments several, and what three systems wrote."""

from __future__ import annotations

#: A segment's references, and the outputs of a good, a short and a wordy system.
SEGMENTS: tuple[tuple[tuple[str, ...], str, str, str], ...] = (
    (
        ("The night train to the coast was cancelled because of heavy snow.",
         "Heavy snow led to the cancellation of the night train to the coast."),
        "The night train to the coast was canceled because of the heavy snow.",
        "Night train was cancelled.",
        "It was because of very heavy snow that the night train to the coast was cancelled.",
    ),
    (
        ("Two museums, one library and a theatre will reopen in spring.",
         "In spring, two museums, a library and a theatre are going to reopen."),
        "Two museums, a library and one theatre will open again in the spring.",
        "Two museums reopen.",
        "In the coming spring two museums, one library and also a theatre will be reopened.",
    ),
    (
        ("She said: \"We don't need 1,500 signatures, we need 2,000.\"",
         'She said, "It is 2,000 signatures that we need, not 1,500."'),
        "She said: \"We do not need 1,500 signatures, we need 2,000.\"",
        "We need 2,000.",
        "She has said that they do not need 1500 signatures but they need 2000 signatures.",
    ),
    (
        ("El precio del aceite subió un 12,5 % en un año.",
         "En un año, el aceite se encareció un 12,5 %."),
        "El precio del aceite ha subido un 12,5 % en un año.",
        "El aceite subió.",
        "En el plazo de un año, el precio del aceite de oliva subió en un 12,5 por ciento.",
    ),
    (
        ("The bridge, built in 1894, has to be repaired.",
         "Built in 1894, the bridge needs to be repaired."),
        "The bridge built in 1894 must be repaired.",
        "The bridge must be repaired.",
        "The old bridge that was built in the year 1894 has to be repaired very soon.",
    ),
    (
        ("Nobody was hurt.", "No one was injured."),
        "Nobody was hurt.",
        "",
        "Nobody at all was hurt in it.",
    ),
    (
        ("Yes.", "Yes, it is."),
        "Yes.",
        "Yes",
        "Yes, that is so.",
    ),
    (
        ("The committee meets on Tuesdays at 9:30 in room B-12.",
         "On Tuesdays at 9:30 the committee meets in room B-12."),
        "The committee meets Tuesdays at 9:30 in room B-12.",
        "On Tuesdays the committee meets.",
        "The committee, which is small, meets on every Tuesday at 9:30 in the room B-12.",
    ),
    (
        ("A new species of frog was found near the volcano.",
         "Near the volcano, researchers found a new species of frog."),
        "A new frog species was found near the volcano.",
        "Frog found near volcano.",
        "Near the volcano a species of frog that is new to science was found by researchers.",
    ),
    (
        ("Prices fell for the third month in a row.", "For the third month running, prices fell."),
        "Prices fell for the third month in a row.",
        "Prices fell.",
        "Prices have now been falling for three months in a row, for the third month.",
    ),
    (
        ("Die Straße über den Pass bleibt bis März gesperrt.",
         "Bis März bleibt die Passstraße gesperrt."),
        "Die Strasse über den Pass bleibt bis März gesperrt.",
        "Der Pass ist gesperrt.",
        "Die Straße, die über den Pass führt, bleibt noch bis in den März hinein gesperrt.",
    ),
    (
        ("They asked for more time; the court refused.",
         "The court refused their request for more time."),
        "They asked for more time, but the court refused.",
        "The court refused.",
        "They asked the court for more time and the court refused to give them more time.",
    ),
)  # fmt: skip

#: The outputs of every system, in the order of the segments; the last copies the first.
SYSTEMS: tuple[tuple[str, ...], ...] = tuple(
    tuple(str(segment[place]) for segment in SEGMENTS) for place in (1, 2, 3, 1)
)
FIRST = tuple(segment[0][0] for segment in SEGMENTS)
SEVERAL = tuple(segment[0] for segment in SEGMENTS)
#: Two references of every other segment, and one of the rest.
MIXED = tuple(refs if i % 2 else refs[:1] for i, refs in enumerate(SEVERAL))
