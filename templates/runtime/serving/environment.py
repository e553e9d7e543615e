"""Settings from the environment, with errors that show no value."""

from typing import TypeVar

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings

__all__ = ["ServerSettings", "SettingsError", "load_settings"]

SettingsT = TypeVar("SettingsT", bound=BaseSettings)


class ServerSettings(BaseSettings):
    """Where a service listens and how clients reach it.

    Attributes:
        host: The address to listen at.
        port: The port to listen at.
        public_url: What clients put before the path; None for host and port.
        log_bodies: Whether ADK and the SDK log messages as they are, for a look
            at one's own machine.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8001, ge=1, le=65535)
    public_url: str | None = None
    log_bodies: bool = False


class SettingsError(RuntimeError):
    """A variable is missing or has a value that doesn't fit."""


def load_settings(settings: type[SettingsT]) -> SettingsT:
    """Read the settings from the environment.

    Raises:
        SettingsError: Naming each variable that is missing or wrong. Its
            value isn't shown: it may be a secret.
    """
    try:
        return settings.model_validate({})
    except ValidationError as error:
        prefix = settings.model_config.get("env_prefix", "")
        problems = [
            f"{_variable(prefix, problem['loc'])}: {problem['msg']}"
            for problem in error.errors(include_input=False, include_url=False)
        ]
    # Outside the handler: the cause would show the values in a traceback.
    raise SettingsError("; ".join(problems))


def _variable(prefix: str, location: tuple[int | str, ...]) -> str:
    name = str(location[0])
    # A field with an alias is reported by it, and the alias is the variable.
    return name if name.isupper() else f"{prefix}{name}".upper()
