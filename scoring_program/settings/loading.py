"""Settings from ``scoring.yaml`` and from the command line.

Unknown keys are errors: if a misspelled setting were ignored, its default would decide the
competition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import yaml

from ..core.errors import SettingsError, nearest
from .checks import Check, checked, checks_of, read_metrics
from .model import LIMITS, Settings

_Parsed = TypeVar("_Parsed")


class _Loader(yaml.SafeLoader):
    """Safe YAML without aliases and repeated keys; yes, no, on and off stay texts.

    Such words are labels more often than booleans, and a few aliases can expand to gigabytes.
    """

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            place = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(
                None, None, "aliases (*name) are not supported; write the value itself", place
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if (key.tag, str(key.value)) in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} appears twice; keep one", key.start_mark
                )
            seen.add((key.tag, str(key.value)))
        return super().construct_mapping(node, deep)


class _LoaderOfAliases(_Loader):
    """The same, for a file in which aliases are common; whoever reads it limits what they hold."""

    compose_node = yaml.SafeLoader.compose_node


def _without_other_booleans(first: str, resolvers: Iterable[tuple[str, Any]]) -> list[Any]:
    """Return the resolvers of values with this first letter, but no boolean, such as "yes"."""
    is_boolean = first in "tTfF"
    return [
        (tag, pattern)
        for tag, pattern in resolvers
        if is_boolean or tag != "tag:yaml.org,2002:bool"
    ]


_Loader.yaml_implicit_resolvers = {
    first: _without_other_booleans(first, resolvers)
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def parse_value(text: str) -> Any:
    """Return one command-line value as YAML would read it ("3" is a number, "null" is None)."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def _remedy(error: yaml.MarkedYAMLError) -> str:
    problem = str(error.problem)
    if "mapping values are not allowed" in problem:
        return "write a text that holds ': ' in quotes, and check the indentation"
    if r"'\t'" in problem:
        return "indent with spaces, not with tabs"
    return "check indentation and quotes"


def read_yaml(path: Path, *, aliases: bool = False) -> tuple[yaml.Node | None, Any]:
    """Return one of the organizer's YAML files as nodes, with their lines, and as values.

    With ``aliases``, a value may stand in several places of what is returned, or within itself.

    Raises
    ------
    SettingsError
        The file cannot be read, is not valid YAML or repeats a key; file and line are named.
    """
    text = text_of(path)
    loader = _LoaderOfAliases if aliases else _Loader
    return _parsed(text, path.name, partial(_read, loader))


def _read(loader: type[_Loader], text: str) -> tuple[yaml.Node | None, Any]:
    """Return the nodes of a text and the values they hold, which are made of the same nodes."""
    reader = loader(text)
    try:
        root = reader.get_single_node()
        return root, None if root is None else reader.construct_document(root)
    finally:
        reader.dispose()


def text_of(path: Path) -> str:
    """Return the text of one of the organizer's files; raise SettingsError if it has none."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror  # without the folder's path
        raise SettingsError(
            f"{path.name}: cannot be read: {reason}; check that it exists"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path.name}: cannot be read: {error}; save it as UTF-8") from error


def parse_text(text: str, name: str) -> Any:
    """Return the values in a text of YAML, which messages call ``name``.

    Raises
    ------
    SettingsError
        It is not valid YAML, or repeats a key; file and line are named.
    """
    return _parsed(text, name, partial(yaml.load, Loader=_Loader))


def _parsed(text: str, name: str, parse: Callable[[str], _Parsed]) -> _Parsed:
    try:
        return parse(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = "" if mark is None else f", line {mark.line + 1}"
        raise SettingsError(
            f"{name}{line}: not valid YAML: {error.problem}; {_remedy(error)}"
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SettingsError(f"{name}: not valid YAML: {error}") from error


#: Name of the settings file in the reference data.
FILE_NAME = "scoring.yaml"

_CHECKS = checks_of(Settings)


def load(path: Path | None) -> Settings:
    """Read the settings file, or return the defaults if there is none.

    Raises
    ------
    SettingsError
        The file cannot be read or is not valid YAML, a key is unknown or repeated, or a value fails
        its check. The message names the file, the line and the expected value.
    """
    if path is None:
        return Settings()
    root, values = read_yaml(path)
    if root is None:
        return Settings()
    if not isinstance(root, yaml.MappingNode):
        raise SettingsError(
            f"{path.name}, line 1: expected lines of the form 'key: value', with a "
            "space after the colon"
        )
    lines: dict[str, str] = {}
    for node, child in root.value:
        lines[node.value] = f"{path.name}, line {node.start_mark.line + 1}"
        if node.value == "metrics" and isinstance(child, yaml.SequenceNode):
            for index, item in enumerate(child.value):
                lines[f"metrics[{index}]"] = f"{path.name}, line {item.start_mark.line + 1}"
    return update(Settings(), values, lines)


def update(settings: Settings, values: Mapping[str, Any], lines: Mapping[str, str]) -> Settings:
    """Return ``settings`` with the checked ``values``; ``lines`` says where each was set.

    Raises
    ------
    SettingsError
        An unknown key, or a value that fails its check.
    """
    checks: dict[str, Check] = {**_CHECKS, "metrics": lambda value: read_metrics(value, lines)}
    changes = checked(values, checks, lambda key: lines.get(key, "settings"))
    stated = changes.pop("limits", None) or {}
    lines = {**lines, **{LIMITS[name]: lines.get("limits", "settings") for name in stated}}
    for name, number in stated.items():
        key = LIMITS[name]
        if key in changes:
            raise SettingsError(
                f"{lines[key]}: limits: {name!r} is the key {key!r}, which is set, too; remove one "
                "of the two"
            )
        changes[key] = number
    return replace(settings, **changes, lines={**settings.lines, **lines})


def values_of(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of command-line options: name → text becomes name → value."""
    return {name: _value(text, _CHECKS[name]) for name, text in texts.items()}


def option_name(key: str) -> str:
    """Return what messages call the command-line option of a key."""
    return f"option --{key.replace('_', '-')}"


#: Values that pass the check of every setting that may be a list or a mapping.
_COLLECTIONS: tuple[Any, ...] = (["a", "b"], {"a": 1})


def _value(text: str, check: Check) -> Any:
    """Return the text of an option as YAML reads it, or the text itself if only that passes.

    A title may hold a colon, and a team or a column may be called 1.0. But where a list or a
    mapping may stand, one that is wrong is not the name of a column.
    """
    read = parse_value(text)
    if _passes(check, read):
        return read
    is_collection = isinstance(read, (list, dict))
    if is_collection and any(_passes(check, collection) for collection in _COLLECTIONS):
        return read
    return text if _passes(check, text) else read


def _passes(check: Check, value: Any) -> bool:
    try:
        check(value)
    except ValueError:
        return False
    return True


def check_together(settings: Settings) -> None:
    """Refuse a setting that has no effect, or another meaning, without another one.

    Raises
    ------
    SettingsError
        A scheduler is set without its backend. With a local backend, perhaps chosen for one run,
        the scheduler is ignored. Or the yardstick names an entry that competes, the roles of
        columns are stated twice, or a page of rounded scores is to hold every pair.
    """
    if settings.interactive and settings.participants == "score":
        raise SettingsError(
            f"{settings.where('interactive')}: the page would hold every pair of entries, which "
            "'participants: score' keeps from its readers; remove one of the two"
        )
    if settings.scheduler and settings.backend == "auto":
        raise SettingsError(
            f"{settings.where('scheduler')}: add 'backend: dask' or 'backend: ray', to say "
            "which kind of cluster has this address"
        )
    if settings.kit_reader and settings.reader is None:
        raise SettingsError(
            f"{settings.where('kit_reader')}: there is no 'reader' to pack into the starting kit; "
            "name one, or leave this out"
        )
    for key in ("reference", "submissions"):
        described = getattr(settings, key)
        is_said_twice = settings.described(gold=True).roles.get("id") != settings.id_column
        also_naming = ["id_column"] if settings.id_column and is_said_twice else []
        scored = {spec.column for spec in settings.metrics if spec.column}
        if described and settings.reader:
            raise SettingsError(
                f"{settings.where(key)}: the files are read by {settings.reader}, which gets them "
                "as they are; remove one of the two"
            )
        # Of several columns that are scored, only metrics say which is whose.
        names_all = described and not described.roles and len(scored) == 1
        if scored and (names_all or (described and "label" in described.roles)):
            also_naming.append("column")
        if described and described.columns and also_naming:
            raise SettingsError(
                f"{settings.where(key)}: 'columns' says which column holds what, and so does "
                f"{also_naming[0]!r}; say it once: call the column 'id' or 'label' there"
            )
    for name in (name for pair in settings.yardstick for name in pair):
        if name not in settings.baselines:
            raise SettingsError(
                f"{settings.where('yardstick')}: expected pairs of baselines; found {name!r}; add "
                f"it to 'baselines' if it does not compete{nearest(name, settings.baselines)}"
            )
