"""The two sides of an update: the template as it was, and as it is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from interceptgen.baseline import (
    ANSWERS_NAME,
    Baseline,
    is_templates,
    read_baseline,
    template_digest,
)
from interceptgen.resources import template_root
from interceptgen.template import (
    Answers,
    TemplateError,
    answers_in,
    check_answers,
    rendered,
)

__all__ = ["Sides", "check_newer", "read_sides"]

# What a question seeded and now stands in a file of the user's.
_SEEDS = {
    "implementation": "stands in interceptors.yaml now; change it there",
    "interceptors": "stands in interceptors.yaml now; change it there",
    "package_name": "names folders of yours; an update can't rename them",
    "runner": "stands in interceptors.yaml now, as runner.resolve; change it there",
}
_DESCRIBED = re.compile(r"(.+)-(\d+)-g[0-9a-f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What is merged into a project.

    Attributes:
        before: The template's files as they were; None if nobody knows.
        now: The template's files as they are.
        answers: Copier's answers as they are to be.
        baseline: The record as it is to be.
    """

    before: Mapping[str, bytes] | None
    now: Mapping[str, bytes]
    answers: bytes
    baseline: Baseline


def read_sides(
    root: Path, *, data: Mapping[str, str], ref: str | None, interactive: bool
) -> Sides:
    """Render the template as it was and as it is.

    Args:
        root: The service's folder; only read.
        data: Answers that change, as written on a command line.
        ref: The template's commit or tag; None for its last tag.
        interactive: There is a person who can be asked what is new.

    Raises:
        TemplateError: The service isn't made from the template, an answer is
            wrong, or the template can't be fetched.
        BaselineError: The record can't be used.
    """
    answers = _answers(root)
    _check_data(data)
    if ref is not None and "_commit" not in answers:
        raise TemplateError(
            "this service's template is the installed one, without refs"
        )
    source = str(answers["_src_path"]) if "_commit" in answers else str(template_root())
    before = _before(root, source, answers)
    wanted = {**answers, **data}
    wanted |= {f"{key}_kept": wanted[key] for key in ("docker", "ci") if key in wanted}
    if "_commit" not in answers:
        ref = "HEAD"
    now = _fetched(source, wanted, ref=ref, interactive=interactive)
    text = now.pop(ANSWERS_NAME, None)
    if text is None:
        raise TemplateError(f"{source} is not the template of a service")
    return _sides(answers, before, now, text, checked=ref is not None)


def _sides(
    answers: Answers,
    before: Mapping[str, bytes] | None,
    now: Mapping[str, bytes],
    text: bytes,
    *,
    checked: bool,
) -> Sides:
    fresh, files = answers_in(text), _templates(now)
    if "_commit" not in answers:
        kept = {path: data.decode() for path, data in files.items()}
        baseline = Baseline(template_digest(), None, kept)
        return Sides(
            before=before, now=files, answers=_without_source(text), baseline=baseline
        )
    commit = str(fresh["_commit"])
    if not checked:
        check_newer(str(answers["_commit"]), commit)
    ours = _templates(rendered(str(template_root()), fresh, ref="HEAD"))
    known = template_digest() if ours == files else ""
    baseline = Baseline(known, commit, None)
    return Sides(before=before, now=files, answers=text, baseline=baseline)


def _answers(root: Path) -> Answers:
    try:
        return answers_in((root / ANSWERS_NAME).read_bytes())
    except FileNotFoundError as error:
        message = f"{root} has no {ANSWERS_NAME}: it isn't made from the template"
        raise TemplateError(message) from error


def _check_data(data: Mapping[str, str]) -> None:
    for key in data:
        if key in _SEEDS:
            raise TemplateError(f"{key} {_SEEDS[key]}")
    check_answers(data)


def _before(root: Path, source: str, answers: Answers) -> Mapping[str, bytes] | None:
    baseline = read_baseline(root)
    commit = answers.get("_commit")
    if baseline and baseline.files is not None and baseline.commit == commit:
        return {path: text.encode() for path, text in baseline.files.items()}
    if commit is None:
        return None
    return _templates(_fetched(source, answers, ref=str(commit)))


def _fetched(
    source: str,
    answers: Mapping[str, Any],
    *,
    ref: str | None,
    interactive: bool = False,
) -> dict[str, bytes]:
    """Render a template that may lie elsewhere; if that fails, say where."""
    try:
        return rendered(source, answers, ref=ref, defaults=not interactive)
    except TemplateError as error:
        # Of git's many lines the one that tells.
        told = re.search(r"fatal: (.*)", str(error))
        message = told[1] if told else str(error)
        if source != str(template_root()):
            message = f"the template {source}: {message}"
        raise TemplateError(message) from error


def _templates(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {
        path: data
        for path, data in files.items()
        if is_templates(path) and path != ANSWERS_NAME
    }


def _without_source(text: bytes) -> bytes:
    """Leave out where a template lies that has no commit: it is worth nothing."""
    lines = rb"(?m)^(_commit|_src_path):.*\n(?:[ \t].*\n)*"
    return re.sub(lines, b"", text)


def check_newer(before: str, now: str) -> None:
    """Refuse to go back to an older template unasked.

    Args:
        before: The commit that the service stands on, as git describes it.
        now: The one that it would stand on.

    Raises:
        TemplateError: If the second is older; where nothing tells, it isn't.
    """
    old, new = _place(before), _place(now)
    if old and new and new < old:
        raise TemplateError(
            f"the template's last tag, {now}, is older than {before}, which the "
            "service stands on; name another with --vcs-ref"
        )


def _place(commit: str) -> tuple[Version, int] | None:
    """Order what git describes: a tag, and how many commits past it."""
    found = _DESCRIBED.fullmatch(commit)
    try:
        return Version(found[1] if found else commit), int(found[2]) if found else 0
    except InvalidVersion:
        return None
