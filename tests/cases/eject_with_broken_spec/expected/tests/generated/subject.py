"""The service under test, as interceptors.yaml describes it."""

from google.adk.a2a.executor.config import ExecuteInterceptor

from orders.hooks.quota import Quota
from orders.service import executor
from orders.service.app import create_app, main
from orders.service.application import mount_application
from orders.service.chain import HookContractError
from orders.service.executor import build_executor
from orders.service.interceptor import Hooks
from orders.service.settings import Settings

__all__ = [
    "CONVERTERS",
    "DESCRIPTION",
    "ENVIRONMENT",
    "INTERCEPTORS",
    "PATH",
    "HookContractError",
    "Settings",
    "build_executor",
    "build_interceptors",
    "create_app",
    "executor",
    "main",
    "mount_application",
    "with_hook",
]

DESCRIPTION = "Answers questions about orders."
PATH = ""
ENVIRONMENT: dict[str, str] = {}
CONVERTERS: list[str] = []
INTERCEPTORS: dict[str, type[Hooks]] = {"quota": Quota}
_WITH_HOOK: dict[str, list[str]] = {
    "before_agent": ["quota"],
    "after_event": [],
    "after_agent": [],
}


def with_hook(hook: str) -> list[str]:
    """Name the interceptors that have the hook, in the order of the spec."""
    return _WITH_HOOK[hook]


def build_interceptors() -> dict[str, ExecuteInterceptor]:
    """Build the chain of the service, by name."""
    return dict(zip(INTERCEPTORS, executor.build_interceptors(), strict=True))
