"""What all parts of the spec's model have in common."""

from pydantic import BaseModel, ConfigDict

__all__ = ["Part"]


class Part(BaseModel):
    """A mapping of the spec: no unknown key, no guessing of types, no change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
