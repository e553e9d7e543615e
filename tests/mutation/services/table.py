"""The score of each module, as a table."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

__all__ = ["rows"]

Row: TypeAlias = tuple[str, str, bool, bool]
"""Service, module, whether the fault is one of wording, whether it was noticed."""


def rows(faults: Iterable[Row]) -> Iterator[str]:
    """Give the lines of a table, with sums for each service and for all."""
    counts: Counter[tuple[str, str, bool, bool]] = Counter()
    for service, module, wording, noticed in faults:
        for place in ((service, module), (service, ""), ("", "")):
            counts[(*place, wording, noticed)] += 1
    yield "| service | module | mutants | noticed | without wording |\n"
    yield "| --- | --- | --- | --- | --- |\n"
    for service, module in sorted({key[:2] for key in counts}):
        words = [counts[service, module, True, each] for each in (False, True)]
        meant = [counts[service, module, False, each] for each in (False, True)]
        whole = [one + other for one, other in zip(words, meant, strict=True)]
        yield (
            f"| {service or '**all**'} | {module or '**all**'} | {sum(whole)} "
            f"| {_share(whole)} | {_share(meant)} |\n"
        )


def _share(counts: list[int]) -> str:
    lived, noticed = counts
    total = lived + noticed
    return f"{noticed} of {total} ({noticed / total:.1%})" if total else "-"
