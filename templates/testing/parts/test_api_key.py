"""Who sends one of the keys has the key's name."""

import pytest
from starlette.requests import HTTPConnection

from runtime.recipes.authentication.api_key import ApiKey
from runtime.recipes.authentication.refusal import Refusal

pytestmark = pytest.mark.anyio

OLD, NEW, OTHER = "a" * 20, "b" * 20, "c" * 40
PARTED = "d" * 20 + ":d"
KEYS = f"ann:{OLD}, ann : {NEW} ,bob:{OTHER},eve:{PARTED}"


def sent(*keys: str, header: bytes = b"x-api-key") -> HTTPConnection:
    """Make a request with these keys."""
    headers = [(header, key.encode()) for key in keys]
    return HTTPConnection({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("key", "name"), [(OLD, "ann"), (NEW, "ann"), (OTHER, "bob"), (PARTED, "eve")]
)
async def test_a_key_has_a_name(key: str, name: str) -> None:
    """A name may have several."""
    credentials, user = await ApiKey(keys=KEYS).identify(sent(key))

    assert (user.display_name, user.is_authenticated) == (name, True)
    assert credentials.scopes == []


@pytest.mark.parametrize(
    ("keys", "reason", "error"),
    [
        ([], "no key", "unauthorized"),
        ([""], "no key", "unauthorized"),
        (["d" * 20], "unknown key", "invalid_token"),
        ([OLD + "a"], "unknown key", "invalid_token"),
        ([OLD[1:]], "unknown key", "invalid_token"),
        ([f"ann:{OLD}"], "unknown key", "invalid_token"),
        ([OLD, OLD], "repeated header", "invalid_token"),
    ],
    ids=range(7),
)
async def test_another_key_is_refused(keys: list[str], reason: str, error: str) -> None:
    """The log doesn't show it."""
    with pytest.raises(Refusal) as refused:
        await ApiKey(keys=KEYS).identify(sent(*keys))

    assert str(refused.value) == reason
    assert (refused.value.status, refused.value.error) == (401, error)


async def test_a_key_comes_in_the_header_that_the_card_names() -> None:
    """And in no other one."""
    recipe, plain = ApiKey(keys=KEYS, header="X-Mine"), ApiKey(keys=KEYS)

    _, user = await recipe.identify(sent(OLD, header=b"x-mine"))

    assert user.display_name == "ann"
    with pytest.raises(Refusal):
        await recipe.identify(sent(OLD))
    for each, name in ((recipe, "X-Mine"), (plain, "X-API-Key")):
        scheme = each.scheme().api_key_security_scheme
        assert (scheme.location, scheme.name) == ("header", name)
    assert (plain.label, plain.challenge) == ("api_key", "ApiKey")


def test_keys_are_not_kept() -> None:
    """Only their digests are."""
    recipe = ApiKey(keys=KEYS)

    assert recipe.keys == ""
    assert OLD not in repr(recipe)


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        ("", 1),
        (OLD, 1),
        (f":{OLD}", 1),
        (f" :{OLD}", 1),
        ("ann:" + "a" * 19, 1),
        ("ann:" + "a" * 19 + " ", 1),
        (f"ann:{OLD}ä", 1),
        (f"ann:{OLD},", 2),
        (f"ann:{OLD},bob", 2),
    ],
    ids=range(9),
)
def test_a_pair_that_cannot_be_used_is_named_by_its_number(
    keys: str, number: int
) -> None:
    """It may be a key alone, so it isn't shown."""
    with pytest.raises(ValueError, match="isn't") as refused:
        ApiKey(keys=keys)

    assert str(refused.value) == (
        f"api_key: pair {number} isn't 'name:key' with a key of at least "
        "20 ASCII characters"
    )


def test_a_key_has_one_name() -> None:
    """Given twice with the same one, it is one key."""
    assert ApiKey(keys=f"ann:{OLD},ann:{OLD}")
    with pytest.raises(ValueError, match=r"^api_key: pair 3 has another name's key$"):
        ApiKey(keys=f"ann:{OLD},bob:{NEW},bob:{OLD}")
