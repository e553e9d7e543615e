"""Settings from the environment, with errors that show no value."""

import pytest
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from runtime.serving.environment import ServerSettings, SettingsError, load_settings


class Own(BaseSettings):
    """Settings of a service."""

    model_config = SettingsConfigDict(env_prefix="MINE_")

    count: int
    key: SecretStr = Field(validation_alias="OTHER_KEY")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MINE_COUNT", "OTHER_KEY", "HOST", "PORT", "PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)


def test_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by its variable."""
    monkeypatch.setenv("MINE_COUNT", "7")
    monkeypatch.setenv("OTHER_KEY", "hidden")

    found = load_settings(Own)

    assert (found.count, found.key.get_secret_value()) == (7, "hidden")


def test_each_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its value isn't shown: it may be a secret."""
    monkeypatch.setenv("MINE_COUNT", "hidden")

    with pytest.raises(SettingsError) as refused:
        load_settings(Own)

    first, second = str(refused.value).split("; ")
    assert first.startswith("MINE_COUNT: ")
    assert second.startswith("OTHER_KEY: ")
    assert "hidden" not in str(refused.value)
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    ("port", "fits"), [(1, True), (65535, True), (0, False), (65536, False)]
)
def test_a_port_is_one(
    port: int, *, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without settings a service listens on this machine alone."""
    monkeypatch.setenv("PORT", str(port))

    if fits:
        assert load_settings(ServerSettings).port == port
    else:
        with pytest.raises(SettingsError, match="PORT: "):
            load_settings(ServerSettings)
    monkeypatch.delenv("PORT")
    settings = load_settings(ServerSettings)
    assert (settings.host, settings.port) == ("127.0.0.1", 8001)
    assert settings.public_url is None
