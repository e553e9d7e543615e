"""What a person does to the spec."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tests.property.spec_pool import NAMES, PINS, VARIANTS, Entry, Spec

__all__ = ["EDITS", "Edit", "renamed"]

Edit = Callable[[Spec, int, int], Spec]


def _add(spec: Spec, where: int, pick: int) -> Spec:
    free = [name for name in NAMES if name not in spec.names]
    if not free:
        return spec
    new = Entry(free[pick % len(free)], pick % len(VARIANTS))
    entries = [
        replace(entry, was=tuple(name for name in entry.was if name != new.name))
        for entry in spec.entries
    ]
    entries.insert(where % (len(entries) + 1), new)
    return replace(spec, entries=tuple(entries))


def _remove(spec: Spec, where: int, _: int) -> Spec:
    if not spec.entries:
        return spec
    at = where % len(spec.entries)
    return replace(spec, entries=spec.entries[:at] + spec.entries[at + 1 :])


def _clear(spec: Spec, _: int, __: int) -> Spec:
    return replace(spec, entries=())


def _reorder(spec: Spec, where: int, _: int) -> Spec:
    at = where % max(1, len(spec.entries))
    return replace(spec, entries=spec.entries[at:] + spec.entries[:at])


def _vary(spec: Spec, where: int, pick: int) -> Spec:
    """Toggle hooks, change a default, a type, a description."""
    return _changed(spec, where, variant=pick % len(VARIANTS))


def _vary_all(spec: Spec, _: int, pick: int) -> Spec:
    entries = (replace(entry, variant=pick % len(VARIANTS)) for entry in spec.entries)
    return replace(spec, entries=tuple(entries))


def _rename(spec: Spec, where: int, pick: int) -> Spec:
    return renamed(spec, where, pick)


def _rename_again(spec: Spec, where: int, pick: int) -> Spec:
    return renamed(renamed(spec, where, pick), where, pick + 1)


def _rename_and_vary(spec: Spec, where: int, pick: int) -> Spec:
    return _vary(renamed(spec, where, pick), where, pick)


def _rename_into_freed(spec: Spec, where: int, pick: int) -> Spec:
    """Remove one, and give its name to another at once."""
    if len(spec.entries) < 2:
        return spec
    gone = spec.entries[where % len(spec.entries)]
    rest = _remove(spec, where, 0)
    at = pick % len(rest.entries)
    old = rest.entries[at]
    return _changed(rest, at, name=gone.name, was=(*old.was, old.name))


def _forget(spec: Spec, where: int, _: int) -> Spec:
    """Drop `was`, now that the lock knows."""
    return _changed(spec, where, was=())


def _forget_latest(spec: Spec, where: int, _: int) -> Spec:
    entry = (
        spec.entries[where % len(spec.entries)] if spec.entries else Entry("tone", 0)
    )
    return _changed(spec, where, was=entry.was[:-1])


def _rename_silently(spec: Spec, where: int, pick: int) -> Spec:
    """Rename one and say nothing of it."""
    return _changed(renamed(spec, where, pick), where, was=())


def _pin(spec: Spec, _: int, pick: int) -> Spec:
    return replace(spec, pin=pick % len(PINS))


def _upgrade(spec: Spec, _: int, __: int) -> Spec:
    return replace(spec, edition=1 - spec.edition)


def renamed(spec: Spec, where: int, pick: int) -> Spec:
    """Rename one interceptor to a free name; `was` grows."""
    free = [name for name in NAMES if name not in spec.names]
    if not free or not spec.entries:
        return spec
    new = free[pick % len(free)]
    entries = tuple(
        replace(entry, was=tuple(name for name in entry.was if name != new))
        for entry in spec.entries
    )
    at = where % len(entries)
    old = entries[at]
    return _changed(
        replace(spec, entries=entries), at, name=new, was=(*old.was, old.name)
    )


def _changed(spec: Spec, where: int, **fields: object) -> Spec:
    if not spec.entries:
        return spec
    entries = list(spec.entries)
    at = where % len(entries)
    entries[at] = replace(entries[at], **fields)  # type: ignore[arg-type]
    return replace(spec, entries=tuple(entries))


EDITS: Mapping[str, Edit] = {
    "add": _add,
    "remove": _remove,
    "remove all": _clear,
    "reorder": _reorder,
    "vary": _vary,
    "vary all": _vary_all,
    "rename": _rename,
    "rename twice": _rename_again,
    "rename and vary": _rename_and_vary,
    "rename into a freed name": _rename_into_freed,
    "rename without a word": _rename_silently,
    "forget the old names": _forget,
    "forget the latest name": _forget_latest,
    "pin": _pin,
    "upgrade the generator": _upgrade,
}
