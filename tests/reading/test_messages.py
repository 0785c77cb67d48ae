"""What participants read about honest mistakes, word for word in every language."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.core.phrases import Phrase
from scoring_program.data.source import read_input
from tests import snapshots
from tests.reading.test_mistakes import ALL, sent

MESSAGES = Path(__file__).parent / "messages"
#: What is said of it depends on whether pyarrow can be imported.
BY_PYARROW = "Parquet"


def refusal(folder: Path, name: str) -> Phrase:
    """Return why what was sent by mistake is refused."""
    mistake = ALL[name]
    with pytest.raises(SubmissionError) as caught:
        read_input(sent(folder, mistake.files, mistake.gold), lambda settings: settings)
    return caught.value.reason


@pytest.mark.usefixtures("reads_here")
def test_refusals_are_as_they_were(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    messages: dict[str, list[Phrase]] = {}
    for number, name in enumerate(name for name in ALL if name != BY_PYARROW):
        folder = tmp_path / str(number)
        folder.mkdir()
        messages[name] = [refusal(folder, name)]
    snapshots.compare(MESSAGES, messages, pytestconfig)
