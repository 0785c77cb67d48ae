"""An organizer's own metric."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.bad.case import Bad
from tests.hostile.trap import A, Trap

_METRIC = "metrics: [{name: own, function: my_metric.py:score, greater_is_better: true}]\n"


def cases() -> Iterator[Bad]:
    signature = "def score(y_true, y_pred):\n"
    cases: dict[str, tuple[str, str]] = {
        "no file": ("", "no file"),
        "no such function": ("def scores(y_true, y_pred): ...\n", "did you mean 'scores'"),
        "a syntax error": ("def score(:\n", "SyntaxError"),
        "an import that fails": (
            "import nowhere_to_be_found\n",
            "ModuleNotFoundError in my_metric.py, line 1 "
            "(the module 'nowhere_to_be_found' is not installed)",
        ),
        "an import that exits": ("raise SystemExit(0)\n", "SystemExit"),
        "an import that prints and fails": (
            f"print('{A}')\nraise ValueError('{A}')\n",
            "ValueError",
        ),
        "an exception that tells the gold": (
            signature + "    raise ValueError(list(y_true))\n",
            "ValueError",
        ),
        "an exception whose text fails": (
            "class E(Exception):\n    def __str__(self):\n        raise KeyError\n"
            + signature
            + "    raise E\n",
            "E in",
        ),
        "an exit with success": (signature + "    raise SystemExit(0)\n", "SystemExit"),
        "an exit that nothing can catch": (
            signature + "    import os; os._exit(0)\n",
            "SystemExit in my_metric.py, line 2",
        ),
        "an exit by the system's module": (
            signature + "    import os; __import__(os.name)._exit(0)\n",
            "SystemExit in my_metric.py, line 2",
        ),
        "an import that exits at once": ("import os\nos._exit(0)\n", "SystemExit"),
        "exit()": (signature + "    import sys; sys.exit(0)\n", "SystemExit"),
        "an assertion that tells the gold": (
            signature + "    assert False, list(y_true)\n",
            "AssertionError",
        ),
        "a result that is gold": (signature + "    return y_true[0]\n", "must return one number"),
        "a list": (signature + "    return [1, 2]\n", "must return one number"),
        "None": (signature + "    return None\n", "must return one number"),
        "NaN": (signature + "    return float('nan')\n", "finite"),
        "infinity": (signature + "    return float('inf')\n", "finite"),
        "a text": (signature + "    return '0.5'\n", "must return one number"),
        "a complex number": (signature + "    return 1j\n", "must return one number"),
        "a change of its arguments": (
            signature + "    y_true[0] = y_pred[0]\n    return 1.0\n",
            "must not change its arguments",
        ),
        "an endless recursion": (
            signature + "    return score(y_true, y_pred)\n",
            "RecursionError",
        ),
        "an error on a resample only": (
            "calls = []\n"
            + signature
            + "    calls.append(1)\n"
            + "    if len(calls) > 5:\n"
            + "        raise ValueError(list(y_true))\n"
            + "    return 1.0\n",
            "on resample",
        ),
        "too few arguments": ("def score(y_true): return 1.0\n", "TypeError"),
        "not a function": ("score = 3\n", "no function"),
        "a kind that is none": ("kind = 'words'\n" + signature + "    return 1.0\n", "kind"),
        "a direction that is none": (
            "greater_is_better = 'yes'\n" + signature + "    return 1.0\n",
            "greater_is_better",
        ),
    }
    for name, (code, says) in cases.items():

        def spoil(trap: Trap, code: str = code) -> None:
            trap.settings(_METRIC)
            if code:
                trap.put("ref/my_metric.py", code)

        yield Bad("an organizer's own metric", name, spoil, 2, (says,))
    outside = {
        "above": "../my_metric.py:score",
        "in the upload": "../res/my_metric.py:score",
        "by an absolute name": "/tmp/my_metric.py:score",
        "in the packed field": "submissions/my_metric.py:score",
    }
    for name, place in outside.items():

        def outside_of(trap: Trap, place: str = place) -> None:
            code = "import os; os.mkdir('pwned')\n" + signature + "    return 1.0\n"
            trap.settings(_METRIC.replace("my_metric.py:score", place))
            for folder in ("", "res/", "ref/submissions/"):
                trap.put(f"{folder}my_metric.py", code)

        yield Bad(
            "an organizer's own metric",
            f"a file {name}",
            outside_of,
            2,
            ("folder of the settings",),
        )
