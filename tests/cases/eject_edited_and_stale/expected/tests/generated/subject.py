"""The service under test, as interceptors.yaml describes it."""

from orders.hooks.quota import Quota
from orders.service import app, executor
from orders.service.app import create_app, main
from orders.service.executor import build_executor
from orders.service.executor import build_interceptors as whole_chain
from orders.service.seams.chain import HookContractError, Interceptor
from orders.service.seams.rejection import Rejected
from orders.service.serving.application import mount_application
from orders.service.settings import Settings

__all__ = [
    "CONVERTERS",
    "DESCRIPTION",
    "ENVIRONMENT",
    "INTERCEPTORS",
    "PATH",
    "PREFIX",
    "SERVER",
    "HookContractError",
    "Interceptor",
    "Rejected",
    "Settings",
    "app",
    "build_executor",
    "build_interceptors",
    "create_app",
    "executor",
    "main",
    "mount_application",
    "whole_chain",
    "with_hook",
]

DESCRIPTION = "Answers questions about orders."
PATH = ""
PREFIX = "ORDERS_"
SERVER: dict[str, object] = {"host": "127.0.0.1", "port": 8001, "public_url": None}
ENVIRONMENT: dict[str, str] = {}
CONVERTERS: list[str] = []
INTERCEPTORS: dict[str, type[object]] = {"quota": Quota}
_WITH_HOOK: dict[str, list[str]] = {
    "before_agent": ["quota"],
    "after_event": [],
    "after_agent": [],
    "on_exit": [],
}


def with_hook(hook: str) -> list[str]:
    """Name the interceptors that have the hook, in the order of the spec."""
    return _WITH_HOOK[hook]


def build_interceptors() -> dict[str, Interceptor]:
    """Build the chain of a test, by name."""
    return {each.name: each for each in executor.build_interceptors()}
