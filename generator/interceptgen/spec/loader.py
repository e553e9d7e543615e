"""The first stage: the bytes of `interceptors.yaml` in, a `Spec` out.

It reads no disk, and tells every problem of the file in one go.
"""

from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from interceptgen.diagnostics import Diagnostic, SpecError
from interceptgen.spec.checks import check_pins, check_relations, check_version
from interceptgen.spec.model import Spec
from interceptgen.spec.positions import Positions
from interceptgen.spec.problem import Finding, Loc, Problem
from interceptgen.spec.shapes import retell
from interceptgen.spec.syntax import Fault, YamlFaultsError
from interceptgen.spec.tree import Tree, read_tree

__all__ = ["load_spec", "load_spec_with_positions"]


def load_spec(path_label: str, data: bytes) -> Spec:
    """Read a spec.

    Args:
        path_label: The file's name as messages are to give it.
        data: The file's bytes.

    Returns:
        The spec, valid in itself.

    Raises:
        SpecError: It is no valid spec; carries all its problems.
    """
    return load_spec_with_positions(path_label, data)[0]


def load_spec_with_positions(path_label: str, data: bytes) -> tuple[Spec, Positions]:
    """Read a spec, and keep where its values stand for later problems.

    Args:
        path_label: The file's name as messages are to give it.
        data: The file's bytes.

    Returns:
        The spec, and a look-up of lines and columns.

    Raises:
        SpecError: It is no valid spec; carries all its problems.
    """
    try:
        tree = read_tree(data)
    except YamlFaultsError as error:
        raise SpecError(_at_fault(path_label, error.faults)) from None
    spec, findings = _validated(tree)
    if spec is None or findings or tree.faults:
        found = [
            *_at_fault(path_label, tree.faults),
            *_at_finding(path_label, tree.positions, findings),
        ]
        raise SpecError(found)
    return spec, tree.positions


def _validated(tree: Tree) -> tuple[Spec | None, tuple[Finding, ...]]:
    version = tuple(check_version(tree))
    if any(finding.problem.code == "E022" for finding in version):
        # Another language: its other keys can't be judged by this one's rules.
        return None, version
    settled = (*version, *check_pins(tree))
    spec, shapes = _shaped(tree, {finding.loc for finding in settled})
    return spec, tuple(_without_echoes((*settled, *shapes, *check_relations(tree))))


def _shaped(tree: Tree, settled: set[Loc]) -> tuple[Spec | None, Iterator[Finding]]:
    try:
        return Spec.model_validate(tree.value), iter(())
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        return None, (retell(one, tree) for one in errors if one["loc"] not in settled)


def _without_echoes(findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Leave out a key that is missing only because it stands there misspelt."""
    misspelt: set[tuple[Loc, str]] = {
        (finding.loc[:-1], finding.problem.hint)
        for finding in findings
        if finding.problem.code == "E002"
    }
    for finding in findings:
        key = finding.loc[-1] if finding.loc else ""
        echo = (finding.loc[:-1], f"did you mean {key!r}?")
        if finding.problem.code not in {"E004", "E020", "E042"} or echo not in misspelt:
            yield finding


def _at_fault(path_label: str, faults: Iterable[Fault]) -> Iterator[Diagnostic]:
    for fault in faults:
        place = (fault.line, fault.column)
        yield _diagnostic(path_label, place, fault.problem)


def _at_finding(
    path_label: str,
    positions: Positions,
    findings: Iterable[Finding],
) -> Iterator[Diagnostic]:
    for finding in findings:
        locate = positions.locate_key if finding.at_key else positions.locate
        yield _diagnostic(path_label, locate(finding.loc), finding.problem)


def _diagnostic(path: str, place: tuple[int, int], problem: Problem) -> Diagnostic:
    line, column = place
    return Diagnostic(
        path=path,
        line=line,
        column=column,
        code=problem.code,
        message=problem.message,
        hint=problem.hint,
    )
