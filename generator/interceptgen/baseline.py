"""`.interceptgen-template.json`: which template a service stands on.

Copier's answers name a commit of the template, if it came from git. A service
made from an installed wheel has none: there the rendered files of the template
stand in the record as well, as the base of the next update's merge.

Read by `check`, hence without copier and YAML.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias

from interceptgen.errors import UserError
from interceptgen.resources import template_root

__all__ = [
    "ANSWERS_NAME",
    "NOT_THE_TEMPLATES",
    "RECORD_NAME",
    "Baseline",
    "BaselineError",
    "commit_of",
    "format_baseline",
    "is_templates",
    "read_baseline",
    "template_digest",
    "template_state",
    "write_baseline",
]

RECORD_NAME = ".interceptgen-template.json"
ANSWERS_NAME = ".copier-answers.yml"
_VERSION = 1
# What copier.yml takes out of an update: the user's and the generator's.
NOT_THE_TEMPLATES = (
    "interceptors.yaml",
    "interceptors.schema.json",
    "interceptgen.lock",
    "src/",
    "tests/",
)

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | float | bool | None"


class BaselineError(UserError):
    """The record can't be used; the message tells why and the way out."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a service's files of the template came from.

    Attributes:
        template: Digest of the template; empty for one that isn't known here.
        commit: Its commit as copier's answers name it; None without git.
        files: What it rendered, by path; None where the commit can tell.
    """

    template: str
    commit: str | None
    files: Mapping[str, str] | None


def is_templates(path: str) -> bool:
    """Tell whether an update may touch what the template renders to a path."""
    return not path.startswith(NOT_THE_TEMPLATES)


def template_digest() -> str:
    """Hash the template of this generator: its questions, rules and skeleton."""
    root = template_root()
    skeleton = root / "templates" / "service"
    paths = [root / "copier.yml", root / "templates" / "rules.jinja"]
    paths += (path for path in skeleton.rglob("*") if path.is_file())
    named = {path.relative_to(root).as_posix(): path for path in paths}
    digest = hashlib.sha256()
    for name, path in sorted(named.items()):
        if "__pycache__" not in path.parts and path.name != ".DS_Store":
            text = path.read_bytes().replace(b"\r\n", b"\n")
            digest.update(b"%s\0%d\0%s" % (name.encode(), len(text), text))
    return digest.hexdigest()


def commit_of(root: Path) -> str | None:
    """Read the template's commit from copier's answers."""
    answers = _text(root / ANSWERS_NAME) or ""
    found = re.search(r"^_commit: *['\"]?([^'\"\s]+)", answers, re.MULTILINE)
    return found[1] if found else None


def template_state(root: Path) -> str | None:
    """Tell offline that the template has moved on, in a line for `check`.

    Returns:
        The line; None if the service stands on the template of this generator,
        or if nothing here can tell.
    """
    try:
        baseline = read_baseline(root)
    except BaselineError as error:
        return f"template  unknown: {error}"
    if baseline is None or baseline.commit != commit_of(root):
        return None
    if not baseline.template:
        return (
            f"template  other: {baseline.commit} is not the one of this interceptgen; "
            "run 'interceptgen update', or take the interceptgen of that version"
        )
    if baseline.template == template_digest():
        return None
    return "template  behind: run 'interceptgen update'"


def read_baseline(root: Path) -> Baseline | None:
    """Read a service's record, if it has one.

    Raises:
        BaselineError: If it can't be used.
    """
    text = _text(root / RECORD_NAME)
    return None if text is None else _parse(text)


def write_baseline(root: Path, baseline: Baseline) -> None:
    """Write a service's record, unless it stands there already."""
    text = format_baseline(baseline)
    if _text(root / RECORD_NAME) != text:
        (root / RECORD_NAME).write_text(text, encoding="utf-8", newline="\n")


def format_baseline(baseline: Baseline) -> str:
    """Print a record: sorted, a line for each line of the template's files."""
    content: dict[str, object] = {"version": _VERSION, "template": baseline.template}
    if baseline.commit is not None:
        content["commit"] = baseline.commit
    if baseline.files is not None:
        files = sorted(baseline.files.items())
        content["files"] = {path: text.split("\n") for path, text in files}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _parse(text: str) -> Baseline:
    """Read a record. It is checked in by people, so nothing of it is trusted."""
    if re.search(r"^<{7} ", text, re.MULTILINE):
        raise _unusable("it has merge conflict markers")
    try:
        content: _Json = json.loads(text)
    except ValueError:
        raise _unusable("it is not JSON") from None
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise _unusable(f"this tool reads version {_VERSION} of it")
    template, commit = content.get("template"), content.get("commit")
    files = content.get("files")
    if not isinstance(template, str) or not isinstance(commit, str | None):
        raise _unusable("it lacks the template's digest")
    if files is not None and not isinstance(files, dict):
        raise _unusable("its files make no sense")
    if files is None:
        return Baseline(template, commit, None)
    texts = {path: _joined(path, lines) for path, lines in files.items()}
    return Baseline(template, commit, texts)


def _joined(path: str, lines: _Json) -> str:
    pure = PurePosixPath(path)
    inside = not pure.is_absolute() and ".." not in pure.parts and "\\" not in path
    if not inside or not is_templates(path) or not isinstance(lines, list):
        raise _unusable(f"its record of {path!r} makes no sense")
    return "\n".join(str(line) for line in lines)


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _unusable(str(error)) from error


def _unusable(reason: str) -> BaselineError:
    return BaselineError(
        f"{RECORD_NAME} can't be used: {reason}; take it from version control, or "
        "delete it: an update then keeps whatever differs from the template"
    )
