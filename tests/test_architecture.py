"""The package's structure: one direction of imports, small functions, names that mean one thing.

Every module is parsed; imports inside functions and under TYPE_CHECKING count like all others.
"""

from __future__ import annotations

import ast
import configparser
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from hypothesis import settings

from scoring_program.data.gold import Gold
from scoring_program.data.joining.submission import Entry
from scoring_program.reading.formats import KINDS
from scoring_program.reading.table import Table
from scoring_program.recognize import usual_names
from scoring_program.recognize.expected import Expected
from scoring_program.recognize.tables_of_scores import score_names
from tests.competitions import REPOSITORY
from tests.density import nodes, parsed

PACKAGE = REPOSITORY / "scoring_program"
#: Folders and loose modules in the order of the pipeline: each imports only from itself and from
#: those before it. "" is the package itself, which offers the public API.
ORDER = (
    "core", "reading", "recognize", "settings", "metrics", "data", "scoring", "bootstrap",
    "inference", "document", "report", "pipeline", "audit", "api", "announcing", "", "bundle",
    "commands",
)  # fmt: skip
#: Modules of `recognize` that formats ask, too: functions of names and cells, which need only
#: `core` and each other.
_LEAVES = (
    "recognize.usual_names", "recognize.file_names", "recognize.sums_of_lines",
    "recognize.of_kinds",
)  # fmt: skip
#: Modules that only serve ``python -m``.
STARTERS = {"__main__", "check", "compare", "bundle.__main__"}
MOST_LOOSE = 6
MOST_LINES = 60
MOST_PARAMETERS = 8
#: A comment with one of these beside a function says why it exceeds a limit.
REASONS = ("# Long because", "# Many parameters because")


@dataclass(frozen=True)
class Module:
    """One parsed file; ``name`` is dotted and starts below the package."""

    name: str
    path: Path

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def part(self) -> str:
        """The folder of the package, or the loose module itself."""
        return self.name.partition(".")[0]

    @property
    def package(self) -> tuple[str, ...]:
        parts = tuple(self.name.split(".")) if self.name else ()
        return parts if self.path.name == "__init__.py" else parts[:-1]

    def tree(self) -> ast.Module:
        return parsed(self.path)

    def nodes(self) -> Sequence[ast.AST]:
        return nodes(self.path)

    def functions(self) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
        for node in self.nodes():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield f"{self.name}.{node.name}", node

    def types(self) -> Iterator[str]:
        """Public classes, and aliases such as ``Label = str | int``."""
        for node in self.tree().body:
            if isinstance(node, ast.ClassDef):
                names = [node.name]
            elif isinstance(node, ast.Assign):
                names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            else:
                continue
            yield from (name for name in names if name[:1].isupper() and not name.isupper())

    def imports(self, known: Mapping[str, Module]) -> Iterator[str]:
        """Names of the package's modules that this one imports from."""
        for node in self.nodes():
            if isinstance(node, ast.ImportFrom) and node.level:
                start = self.package[: len(self.package) - node.level + 1]
                source = ".".join([*start, *(node.module or "").split(".")]).rstrip(".")
                for alias in node.names:
                    inner = f"{source}.{alias.name}".lstrip(".")
                    yield inner if inner in known else source


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """Keep no tree for other tests, in which every collection of garbage would walk them all."""
    yield
    parsed.cache_clear()
    nodes.cache_clear()


def package(root: Path = PACKAGE) -> dict[str, Module]:
    """Return every module below a folder by its dotted name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = Module(name, path)
    return found


MODULES = package()


def graph(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return module → what it imports."""
    return {name: set(module.imports(modules)) - {name} for name, module in modules.items()}


def cycles(imports: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Return the import cycles; each one found is broken before the next search."""
    left = {name: set(found) for name, found in imports.items()}
    result = set()
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            cycle = error.args[1]
            result.add(frozenset(cycle))
            left[cycle[1]].discard(cycle[0])  # graphlib lists a predecessor first
        else:
            return result


def against_the_order(imports: Mapping[str, set[str]]) -> set[tuple[str, str]]:
    """Return (importer, imported) where the imported one comes later in `ORDER`."""
    rank = {part: place for place, part in enumerate(ORDER)}
    return {
        (name, other)
        for name, found in imports.items()
        if name not in STARTERS
        for other in found
        if rank[MODULES[name].part] < rank[MODULES[other].part] and not is_leaf(other)
    }


def is_leaf(name: str) -> bool:
    """Whether a module comes before the formats, which ask it what names and cells mean."""
    return any(name == leaf or name.startswith(f"{leaf}.") for leaf in _LEAVES)


def excused(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a comment just above a function, or before its first statement, gives a reason."""
    first = min(node.lineno for node in (function, *function.decorator_list))
    head = module.text.splitlines()[max(0, first - 4) : function.body[0].lineno]
    return any(reason in line for reason in REASONS for line in head)


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many parameters there are beside self."""
    given = function.args
    names = [item.arg for item in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    own = bool(names) and names[0] in ("self", "cls")
    return len(names) - own + bool(given.vararg) + bool(given.kwarg)


def repeated(names: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """Return name → places, of those with several places."""
    places = defaultdict(set)
    for name, place in names:
        places[name].add(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_no_import_cycle() -> None:
    assert cycles(graph(MODULES)) == set()


def test_imports_follow_the_pipeline() -> None:
    parts = {module.part for module in MODULES.values()} - STARTERS
    assert parts == {*ORDER}
    assert against_the_order(graph(MODULES)) == set()


def test_inference_reads_no_settings_and_starts_nothing() -> None:
    """It gets a `Question` and an `Executor`."""
    process = {"multiprocessing", "threading", "subprocess", "concurrent", "joblib", "os", "signal"}
    for name, module in MODULES.items():
        if module.part != "inference":
            continue
        own = set(module.imports(MODULES))
        assert not any(other.startswith("core.pool") for other in own), name
        assert not any(other.startswith("settings") for other in own), name
        imported = {
            alias.name if isinstance(node, ast.Import) else str(node.module)
            for node in module.nodes()
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0)
            for alias in node.names
        }
        assert not {other.partition(".")[0] for other in imported} & process, name


def test_nobody_imports_a_starter() -> None:
    imported = {other for found in graph(MODULES).values() for other in found}
    assert not imported & STARTERS


def test_imports_inside_the_package_are_relative() -> None:
    absolute = {
        (name, alias)
        for name, module in MODULES.items()
        for node in module.nodes()
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not getattr(node, "level", 0)
        for alias in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [item.name for item in node.names]
        )
        if alias.partition(".")[0] in ("scoring_program", "deadheat")
    }
    assert absolute == set()


def test_setup_lists_every_folder() -> None:
    """What it lacks, pip does not install; for a folder that is gone, it makes no wheel."""
    setup = configparser.ConfigParser()
    setup.read(REPOSITORY / "setup.cfg", encoding="utf-8")
    listed = setup["options"]["packages"].split()
    folders = {".".join(["deadheat", *module.package]) for module in MODULES.values()}
    assert sorted(listed) == sorted({*folders, "deadheat.templates"})


def test_few_loose_modules() -> None:
    loose = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert len(loose) <= MOST_LOOSE, loose


def test_functions_are_short() -> None:
    long = {
        name
        for module in MODULES.values()
        for name, node in module.functions()
        if (node.end_lineno or 0) - node.lineno + 1 > MOST_LINES and not excused(module, node)
    }
    assert long == set()


def test_functions_have_few_parameters() -> None:
    many = {
        name
        for module in MODULES.values()
        for name, node in module.functions()
        if parameters(node) > MOST_PARAMETERS and not excused(module, node)
    }
    assert many == set()


def test_a_type_name_means_one_thing() -> None:
    types = repeated((item, name) for name, module in MODULES.items() for item in module.types())
    assert types == {}


def test_a_module_name_means_one_thing() -> None:
    names = repeated((name.rpartition(".")[2], name) for name in MODULES)
    # A command is called like the package that does its work.
    commands = {"bundle", "audit"}
    assert set(names) <= {name.rpartition(".")[2] for name in STARTERS} | commands, names


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ({"a": "", "b": "from . import a"}, set()),
        ({"a": "from .b import x", "b": "from . import a"}, {frozenset("ab")}),
        (
            {
                "a": "def f():\n    from .b import x",
                "b": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .c import x",
                "c": "from .a import x",
            },
            {frozenset("abc")},
        ),
    ],
)
def test_cycles_are_found_wherever_the_imports_hide(
    tmp_path: Path, code: Mapping[str, str], found: set[frozenset[str]]
) -> None:
    for name, text in code.items():
        (tmp_path / f"{name}.py").write_text(text)
    assert cycles(graph(package(tmp_path))) == found


def test_limits_and_excuses_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    names = ", ".join("abcdefghi")
    path.write_text(f"def f({names}):\n    pass\n\n\n# Many parameters because why not.\n"
                    f"def g(self, {names}):\n    pass\n")  # fmt: skip
    module = Module("a", path)
    (_, plain), (_, with_reason) = module.functions()
    assert parameters(plain) == parameters(with_reason) == 9
    assert not excused(module, plain)
    assert excused(module, with_reason)


def test_no_test_sets_a_deadline_or_chance_of_its_own() -> None:
    """The profiles of tests/search.py say which examples are tried, and that none is too slow."""
    of_the_profile = {"deadline", "derandomize", "database"}
    assert settings.default.deadline is None
    asked = []
    for path in (REPOSITORY / "tests").rglob("*.py"):
        if path.name in ("search.py", "test_search.py"):
            continue
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in of_the_profile):
            continue
        for call in ast.walk(ast.parse(text)):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "settings":
                continue
            if of_the_profile & {keyword.arg for keyword in call.keywords}:
                asked.append(path.relative_to(REPOSITORY))
    assert asked == []


def test_the_tests_import_the_package_of_this_folder() -> None:
    """Another copy, installed, is loaded and typed once more, and no patch of a test changes it."""
    copies = []
    for path in sorted((REPOSITORY / "tests").rglob("*.py")):
        if "deadheat" not in path.read_text(encoding="utf-8"):
            continue
        for node in nodes(path):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                continue
            if any(name.partition(".")[0] == "deadheat" for name in names):
                copies.append(f"{path.relative_to(REPOSITORY)}:{node.lineno}")
    assert copies == []


def test_contributing_names_files_that_exist() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w./-]+/[\w.-]+\.(?:py|md|po|j2|yaml))`", text)
    assert len(named) > 10
    folders = (REPOSITORY, PACKAGE, REPOSITORY / "templates")
    assert [name for name in named if not any((at / name).exists() for at in folders)] == []


def test_lists_of_names_of_score_tables_stand_in_recognize() -> None:
    """What columns of tables of scores and of preferences mean is decided in one room."""
    lists = {
        "SYSTEM_NAMES", "UNIT_NAMES", "SAMPLE_NAMES", "TASK_NAMES", "SUMMARIES", "STATISTICS",
        "SIDES", "PROMPTS", "_OUTCOMES",   "_ANNOTATORS", "_LAST_WORDS",
        "_OF_WHOLE_NUMBERS", "_METRIC_NAMES", "_PARTS", "_BAD", "_ONE_SCALE", "_AVERAGE",
    }  # fmt: skip
    homes = defaultdict(set)
    for name, module in MODULES.items():
        for node in module.tree().body:
            targets: list[ast.expr] = [node.target] if isinstance(node, ast.AnnAssign) else []
            targets = node.targets if isinstance(node, ast.Assign) else targets
            for target in targets:
                if isinstance(target, ast.Name) and target.id in lists:
                    homes[target.id].add(name)
    assert homes.keys() == lists
    elsewhere = {
        of: found
        for of, found in homes.items()
        if not all(name.startswith("recognize.") for name in found)
    }
    assert elsewhere == {}


#: So many usual names in one collection or pattern are a list of them.
_A_LIST = 3
#: Kinds of data, as settings call them.
_OF_KINDS = frozenset((*KINDS, "labels", "scores"))
#: Such words in the documented formats of this program itself, and in those of others.
_DOCUMENTED = {
    "audit.answers": _OF_KINDS,
    "core.phrases": _OF_KINDS,
    "inference.cautions": _OF_KINDS,
    "report.sections.verdict": _OF_KINDS,
    "core.meanings": {"predictions", "y_true", "labels", "confidence"},  # arguments of the API
    "data.gold": {"public", "private", "ignored"},  # the parts of a leaderboard
    "data.joining.checker_rules": {"ids", "ignored", "targets"},  # fields of the kit's rules
    "reading.log_tools": {"references", "tokens", "bytes"},  # what HELM counts beside scores
    "reading.formats.spans": {"start", "end", "type"},  # the header of spans
    "report.results_form": {"name", "label", "samples", "reference", "confidence"},  # results.json
    "report.results_json": {"name", "label", "samples", "reference"},
    "settings.checks": {"file", "references", "usage", "public", "private", "ignored"},
}
#: Modules of `data` beside `joining` that turn a table into gold, entries or targets.
_JOINS = ("data.gold", "data.targets", "data.binder", "data.filled_readings", "data.companions")
#: Numbers of `data` about joining, and of `reading`, that are no thresholds about meaning: limits
#: of what is looked at, held or accepted, and numbers that a format documents.
_LIMITS = {
    "data": {"MOST_CELLS", "MOST_LETTERS"},
    "reading": {
        "LONGEST_HEADER", "LONGEST_MESSAGE", "MOST_DOCUMENTS", "NO_RANK", "_CHUNK", "_ENCRYPTED",
        "_ENOUGH", "_ENOUGH_LINES", "_HEAD", "_ID_AND_SET", "_LARGEST", "_LOCAL_HEADER", "_LONGEST",
        "_LONGEST_NAME", "_LONGEST_SAMPLE", "_MOST", "_MOST_ACCENTS", "_MOST_DIGITS",
        "_MOST_INSTANCES",
        "_MOST_UNUSUAL", "_PIECE", "_RANK", "_ROUNDED", "_ROWS", "_SAMPLE", "_SMALL_TABLE",
        "_SPARSE", "_ZSTANDARD",
    },
}  # fmt: skip


def _texts_of(value: object) -> set[str]:
    """Return the texts in a collection."""
    if not isinstance(value, (tuple, frozenset, dict)):
        return set()
    return {item for item in value if isinstance(item, str)}


def _usual_names() -> set[str]:
    """Return the names that `recognize.usual_names` holds; "id" and "" stand in many tables."""
    names: set[str] = set()
    for name, value in vars(usual_names).items():
        if not name.startswith("__"):  # such as __builtins__, which doctests add to
            names |= _texts_of(value)
    return names - {"", "id"}


def lists_of_usual_names(tree: ast.Module) -> list[set[str]]:
    """Return the usual names of each collection and each pattern in a module that lists them."""
    names = _usual_names()
    lists = []
    for node in ast.walk(tree):
        items: list[ast.expr | None] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            items = [*node.elts]
        elif isinstance(node, ast.Dict):
            items = [*node.keys]
        words = {item.value for item in items if isinstance(item, ast.Constant)}
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            pattern = node.args[0]
            if isinstance(pattern, ast.Constant):
                words = {*re.findall(r"[a-z_]+", str(pattern.value))}
        usual = {word for word in words if isinstance(word, str)} & names
        if len(usual) >= _A_LIST:
            lists.append(usual)
    return lists


def test_lists_and_patterns_of_usual_names_stand_in_recognize() -> None:
    """What columns, keys and files are usually called is written in one room."""
    outside = {}
    for name, module in MODULES.items():
        if module.part == "recognize":
            continue
        documented = _DOCUMENTED.get(name, set())
        guesses = [words for words in lists_of_usual_names(module.tree()) if words - documented]
        if guesses:
            outside[name] = guesses
    assert outside == {}


@pytest.mark.parametrize(
    ("code", "number"),
    [
        ('NAMES = ("reference", "hypothesis", "summary")', 1),
        ('def f(name):\n    return name in {"label", "gold", "truth"}', 1),
        ('WORDS = re.compile(r"(gold|truth|labels)$")', 1),
        ('COLUMNS = ("id", "label")', 0),
    ],
)
def test_lists_of_usual_names_are_seen(code: str, number: int) -> None:
    assert len(lists_of_usual_names(ast.parse(code))) == number


def numbers_of(module: Module) -> set[str]:
    """Return the names of a module's own numbers."""
    numbers = set()
    for node in module.tree().body:
        if not isinstance(node, ast.Assign):
            continue
        parts = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
        if all(isinstance(part, parts) for part in ast.walk(node.value)):
            constants = [part for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
            if all(type(constant.value) in (int, float) for constant in constants):
                numbers |= {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    return numbers


def test_thresholds_about_meaning_stand_in_recognize() -> None:
    """What reads and joins files has limits, and decides by no number of its own."""
    numbers: dict[str, set[str]] = {"data": set(), "reading": set()}
    for name, module in MODULES.items():
        joins = name.startswith("data.joining") or name in _JOINS
        if joins or (module.part == "reading" and name != "reading.limits"):
            numbers[module.part] |= numbers_of(module)
    assert numbers == _LIMITS


def imported_lists(name: str, module: Module) -> set[tuple[str, str]]:
    """Return the lists and patterns of usual names that a module imports from their owners."""
    owners = {
        "usual_names": vars(usual_names),
        "score_names": vars(score_names),
    }
    lists = set()
    for node in module.nodes():
        if not isinstance(node, ast.ImportFrom):
            continue
        owner = owners.get((node.module or "").rpartition(".")[2], {})
        for alias in node.names:
            value = owner.get(alias.name)
            if isinstance(value, (tuple, frozenset, dict, re.Pattern)):
                lists.add((name, alias.name))
    return lists


def test_names_choose_in_recognize_alone() -> None:
    """Nothing else imports a list of names, or a pattern of them, by which it could choose."""
    lists = set()
    for name, module in MODULES.items():
        if module.part != "recognize":
            lists |= imported_lists(name, module)
    assert lists == set()


@pytest.mark.parametrize("record", [Table, Gold, Expected, Entry])
def test_records_do_not_say_how_they_were_guessed(record: type) -> None:
    """The Reading says it. These hold what was decided, and what messages may show."""
    words = {"implied", "known", "guessed", "sure", "unsure", "maybe", "may", "likely", "seems"}
    names = {field.name for field in fields(record)}
    guesses = {name for name in names if words & {*name.split("_")}}
    assert guesses - {"known_columns"} == set()  # those of the gold that a header may name


def test_what_formats_ask_needs_only_the_core() -> None:
    """So the readers of formats, which come before `recognize`, may ask what names mean."""
    assert [*MODULES["recognize.usual_names"].imports(MODULES)] == []
    for name, module in MODULES.items():
        if is_leaf(name):
            others = {other for other in module.imports(MODULES) if not is_leaf(other)}
            assert {MODULES[other].part for other in others} <= {"core"}, name
