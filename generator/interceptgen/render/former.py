"""Where a person's file may stand under an earlier name of its interceptor."""

from interceptgen.files import Former
from interceptgen.service import Interceptor, Service

__all__ = ["former_places"]


def former_places(
    service: Service, interceptor: Interceptor, pattern: str
) -> tuple[Former, ...]:
    """List the earlier places of a file, the latest last.

    Args:
        service: The service.
        interceptor: The interceptor, with the names it had.
        pattern: The file's path, with `{}` for the interceptor's name.
    """
    return tuple(
        Former(
            path=pattern.format(module),
            package=service.package,
            old_module=module,
            new_module=interceptor.name,
            old_class=class_name,
            new_class=interceptor.class_name,
        )
        for module, class_name in zip(
            interceptor.was, interceptor.was_classes, strict=True
        )
    )
