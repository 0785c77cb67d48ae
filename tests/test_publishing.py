"""What publishes the program, and what others run it with: it parses, and its commands are real."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from scoring_program import __version__
from scoring_program.commands import main as command
from tests.competitions import EXAMPLE, REPOSITORY
from tests.docs.blocks import blocks

ADDRESS = "https://example.org/house/deadheat"
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
DOCKERFILES = sorted((REPOSITORY / "publish").glob("*.Dockerfile"))
#: What stands beside the folders: a note that somebody left there would be published, too.
AT_THE_ROOT = {
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "SECURITY.md"),
    *("MANIFEST.in", "mkdocs.yml", "pyproject.toml", "setup.cfg", "setup.py"),
    *("action.yml", "competition.yaml", "organizers.yaml"),
}
#: Files that begin with a dot are in a clone, and not in a source distribution.
IN_A_CLONE = pytest.mark.skipif(not WORKFLOWS, reason="a source distribution has no workflows")


def text(name: str | Path) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def metadata(folder: Path = REPOSITORY) -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(folder / "setup.cfg", encoding="utf-8")
    return parser


def commands(content: str) -> list[list[str]]:
    """Return every use of ``deadheat`` in a text, as words."""
    return [
        shlex.split(found)
        for found in re.findall(
            r"^.*?\bdeadheat ((?:score|check|new) .*|--version)$", content, re.M
        )
    ]


@IN_A_CLONE
def test_the_repository_begins_with_these_files() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    at_the_root = {path for path in listed.stdout.splitlines() if "/" not in path}
    assert {path for path in at_the_root if not path.startswith(".")} == AT_THE_ROOT


def test_the_metadata_state_what_the_citation_does() -> None:
    citation = yaml.safe_load(text("CITATION.cff"))
    found = metadata()["metadata"]
    assert found["author"] == ", ".join(author["name"] for author in citation["authors"])
    assert found["license"] == citation["license"]
    assert citation["version"] == __version__
    classifiers = found["classifiers"].split("\n")
    assert {"Typing :: Typed", "Programming Language :: Python :: 3.14"} <= set(classifiers)
    assert {"Codabench", "ranking"} <= set(found["keywords"].split("\n"))


@IN_A_CLONE
@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_files_that_are_there(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    for step in steps:
        assert "@" in step["uses"] if "uses" in step else step["run"]
    for script in re.findall(r"python (\S+\.py)", path.read_text(encoding="utf-8")):
        assert (REPOSITORY / script).is_file()


@IN_A_CLONE
def test_the_index_trusts_the_release_workflow_alone() -> None:
    workflow = yaml.safe_load(text(".github/workflows/release.yml"))
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads "on" so
    assert workflow["permissions"] == {"contents": "read"}
    publish = workflow["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["steps"][-1]["uses"] == "pypa/gh-action-pypi-publish@release/v1"
    assert "secrets." not in text(".github/workflows/release.yml")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What a release changes, in a folder of its own."""
    for name in ("setup.cfg", "README.md", "CITATION.cff", "scoring_program/core/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, tmp_path / name)
    shutil.copytree(REPOSITORY / "publish", tmp_path / "publish")
    return tmp_path


def release(checkout: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "publish/release.py", *arguments],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_release_knows_its_address(checkout: Path) -> None:
    assert release(checkout, ADDRESS, f"v{__version__}").stderr == ""
    found = metadata(checkout)["metadata"]
    assert found["url"] == ADDRESS
    assert f"Issues = {ADDRESS}/issues" in found["project_urls"]
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert links
    assert [link for link in links if not link.startswith("https://")] == []
    assert f"({ADDRESS}/raw/v{__version__}/docs/images/detailed_results.png)" in readme
    for link in links:
        path = link.removeprefix(f"{ADDRESS}/blob/v{__version__}/").partition("#")[0]
        assert link == path or (REPOSITORY / path).exists()
    assert yaml.safe_load((checkout / "CITATION.cff").read_text())["repository-code"] == ADDRESS


def test_a_tag_that_is_not_the_version_is_refused(checkout: Path) -> None:
    done = release(checkout, ADDRESS, "v9.9")
    assert (done.returncode, "the tag is v9.9" in done.stderr) == (2, True)
    assert (checkout / "setup.cfg").read_bytes() == (REPOSITORY / "setup.cfg").read_bytes()


def recipe(path: Path) -> Any:
    """Return conda's recipe as conda reads it: first the template, then YAML."""
    from jinja2 import Environment

    rendered = Environment().from_string(path.read_text(encoding="utf-8")).render(PYTHON="python")
    return yaml.safe_load(rendered)


def test_the_recipe_for_conda_needs_what_pip_installs() -> None:
    found = recipe(REPOSITORY / "publish" / "conda" / "meta.yaml")
    options = metadata()["options"]
    needed = {line.replace(" ", "").lower() for line in options["install_requires"].split("\n")[1:]}
    run = {line.replace(" ", "") for line in found["requirements"]["run"]}
    assert run == {*needed, f"python{options['python_requires']}"}
    assert found["package"] == {"name": "deadheat", "version": __version__}
    scripts = metadata()["options.entry_points"]["console_scripts"].strip()
    assert found["build"]["entry_points"] == [scripts]
    source = REPOSITORY / "publish" / "conda" / found["source"]["path"]
    assert (source / found["about"]["license_file"]).is_file()
    check_options("\n".join(found["test"]["commands"]))


def test_a_released_recipe_is_complete(checkout: Path) -> None:
    archive = checkout / f"deadheat-{__version__}.tar.gz"
    archive.write_bytes(b"")
    assert release(checkout, ADDRESS, f"v{__version__}", "--recipe", archive).stderr == ""
    found = recipe(checkout / "publish" / "conda" / "meta.yaml")
    assert found["source"]["url"].endswith(f"/deadheat-{__version__}.tar.gz")
    assert found["source"]["sha256"].startswith("e3b0c44298fc1c14")  # that of nothing
    assert found["about"]["home"] == ADDRESS
    assert found["extra"] == {"recipe-maintainers": ["house"]}
    if shutil.which("conda-smithy") is None:
        pytest.skip("conda's linter is not installed")
    subprocess.run(["conda-smithy", "recipe-lint", checkout / "publish" / "conda"], check=True)


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.stem)
def test_dockerfiles_copy_and_call_what_is_there(path: Path) -> None:
    content = path.read_text(encoding="utf-8")
    assert f"docker build -f publish/{path.name} " in content
    extras = metadata()["options.extras_require"]
    for listed in re.findall(r"(?:/src\[|EXTRAS=)([a-z,]+)", content):
        assert all(name in extras for name in listed.split(","))
    check_options(content)
    assert "FROM codalab/codalab-legacy:py312" in text("publish/platform.Dockerfile")


def check_options(content: str) -> None:
    """Check that every command exists and has the options that it is given."""
    for words in commands(content):
        if words[0] == "--version":
            continue
        assert words[0] in command.COMMANDS
        helped = subprocess.run(
            [sys.executable, "-m", "scoring_program", words[0], "--help"],
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for option in words[1:]:
            assert not option.startswith("--") or option in helped, option


@IN_A_CLONE
def test_the_hook_checks_a_file(tmp_path: Path) -> None:
    (hook,) = yaml.safe_load(text(".pre-commit-hooks.yaml"))
    assert hook["id"] == "deadheat-check"
    program, *entry = shlex.split(hook["entry"])
    assert (program, hook["language"], hook["pass_filenames"]) == ("deadheat", "python", False)
    (tmp_path / "predictions.csv").write_text("id,label\n1,a\n2,b\n")
    (tmp_path / "ids.csv").write_text("id\n1\n2\n")
    given = [str(tmp_path / "predictions.csv"), "--ids", str(tmp_path / "ids.csv")]
    assert command.main([*entry, *given]) == 0
    (tmp_path / "ids.csv").write_text("id\n1\n3\n")
    assert command.main([*entry, *given]) == 1


@pytest.fixture
def on_github(tmp_path: Path) -> Callable[[dict[str, str]], int]:
    """Run the steps of the action that score and summarize; return the status of the scoring."""
    action = yaml.safe_load(text("action.yml"))
    steps = {step["name"]: step for step in action["runs"]["steps"] if "name" in step}
    program = tmp_path / "bin" / "deadheat"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\nPYTHONPATH={REPOSITORY} exec {sys.executable} -c "
        "'import sys; from scoring_program.commands.main import main; sys.exit(main())' \"$@\"\n"
    )
    program.chmod(0o755)
    (program.parent / "python").symlink_to(sys.executable)

    def run(inputs: dict[str, str]) -> int:
        values = {f"inputs.{key}": value for key, value in inputs.items()}
        statuses = []
        for name in ("Score", "Summarize"):
            environment = {
                **os.environ,
                "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
                "RUNNER_TEMP": str(tmp_path),
                "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            }
            for key, value in steps[name]["env"].items():
                environment[key] = re.sub(
                    r"\$\{\{ ([\w.]+) \}\}", lambda match: values[match[1]], value
                )
            shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[name]["run"]]
            done = subprocess.run(
                shell, cwd=tmp_path, env=environment, check=False, capture_output=True
            )
            values["steps.score.outcome"] = "failure" if done.returncode else "success"
            statuses.append(done.returncode)
        assert statuses[1] == 0
        return statuses[0]

    return run


def test_the_action_scores_a_folder_and_posts_the_table(
    tmp_path: Path, on_github: Callable[[dict[str, str]], int]
) -> None:
    output = tmp_path / "out put"
    options = """--resamples 100 --title "Our $(touch hacked) task" """
    assert on_github({"input": str(EXAMPLE), "output": str(output), "options": options}) == 0
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert "| 1 | **NLPCIC†** | **0.7154** |" in summary
    assert "---o|  0.7154" in summary  # the photo finish
    assert (output / "figures" / "card.svg").is_file()
    page = (output / "detailed_results.html").read_text(encoding="utf-8")
    assert "<title>Our $(touch hacked) task" in page
    assert not (tmp_path / "hacked").exists()


def test_the_action_says_why_nothing_was_scored(
    tmp_path: Path, on_github: Callable[[dict[str, str]], int]
) -> None:
    old = tmp_path / "out/tables/ranking.md"
    old.parent.mkdir(parents=True)
    old.write_text("of last week")
    for options in ("", "--no-such-option"):
        inputs = {"input": str(tmp_path / "nowhere"), "output": str(tmp_path / "out")}
        assert on_github({**inputs, "options": options}) != 0
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("The submissions could not be scored.\n\n    ")
    assert "nowhere" in summary
    assert "there is no option --no-such-option" in summary
    assert summary.count("could not be scored") == 2
    assert "of last week" not in summary
    steps = {step.get("name"): step for step in yaml.safe_load(text("action.yml"))["runs"]["steps"]}
    assert steps["Summarize"]["if"] == "${{ !cancelled() && steps.score.outcome != 'skipped' }}"
    assert steps["Score"]["id"] == "score"


def test_the_page_uses_the_action_and_the_hook_as_they_are() -> None:
    shown = {block.file: yaml.safe_load(block.text) for block in blocks("docs/how-to/install.md")
             if block.language == "yaml"}  # fmt: skip
    (step,) = (
        step
        for step in shown[".github/workflows/score.yml"]["jobs"]["score"]["steps"]
        if step["uses"].startswith("OWNER/")
    )
    assert set(step["with"]) <= set(yaml.safe_load(text("action.yml"))["inputs"])
    check_options(f"deadheat score {step['with']['options']}")
    (used,) = shown[".pre-commit-config.yaml"]["repos"][0]["hooks"]
    check_options(f"deadheat check {shlex.join(used['args'])}")
    assert used["id"] == "deadheat-check"


def test_the_page_lists_every_extra_for_users() -> None:
    table = text("docs/how-to/install.md").partition("| extra |")[2].partition("\n\n")[0]
    listed = {
        name for row in table.split("\n")[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    extras = set(metadata()["options.extras_require"])
    assert listed == extras - {"test", "docs", "browser"}
