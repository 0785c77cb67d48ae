"""Reads the organizer's YAML safely; an error names the file and the line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from ..core.errors import SettingsError


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


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag != "tag:yaml.org,2002:bool" or first in "tTfF"
    ]
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


def read_yaml(path: Path) -> tuple[yaml.Node | None, Any]:
    """Return one of the organizer's YAML files as nodes, with their lines, and as values.

    Raises
    ------
    SettingsError
        The file cannot be read, is not valid YAML or repeats a key; file and line are named.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        return yaml.compose(text, Loader=_Loader), yaml.load(text, Loader=_Loader)  # noqa: S506
    except OSError as error:
        reason = error.strerror  # without the folder's path
        raise SettingsError(
            f"{path.name}: cannot be read: {reason}; check that it exists"
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path.name}: cannot be read: {error}; save it as UTF-8") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = "" if mark is None else f", line {mark.line + 1}"
        raise SettingsError(
            f"{path.name}{line}: not valid YAML: {error.problem}; {_remedy(error)}"
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SettingsError(f"{path.name}: not valid YAML: {error}") from error
