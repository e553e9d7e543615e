"""What the environment may set; all else stands in interceptors.yaml."""

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from .serving.environment import ServerSettings

__all__ = ["Settings"]


class Settings(ServerSettings):
    """Where the service listens, from variables that start with ORDERS_."""

    model_config = SettingsConfigDict(env_prefix="ORDERS_")

    host: str = "127.0.0.1"
    port: int = Field(default=8001, ge=1, le=65535)
    public_url: str | None = None
