"""For whom a request counts."""

import pytest

from runtime.recipes.limits.key import CountedBy, check_counted_by, counted_key
from runtime.seams.request import RequestFacts


def facts(
    *,
    caller: str | None = None,
    tenant: str = "",
    address: str = "192.0.2.1",
    repeated: bool = False,
) -> RequestFacts:
    """Make the facts of a request."""
    return RequestFacts(
        task_id="t",
        context_id="c",
        caller=caller,
        headers={"x-tenant": tenant} if tenant else {},
        address=address,
        repeated_headers=frozenset({"x-tenant"} if repeated else ()),
        is_reply=False,
    )


NOBODY = counted_key(facts(), "address", None)


def test_who_is_known_counts_by_name() -> None:
    """The name itself isn't in the key."""
    ann = counted_key(facts(caller="ann"), "user", None)

    assert ann.startswith("user/")
    assert len(ann) == len("user/") + 32
    assert "ann" not in ann
    assert ann == counted_key(facts(caller="ann", address="x"), "user", None)
    assert ann != counted_key(facts(caller="bob"), "user", None)
    assert counted_key(facts(caller="ann"), "address", None) == NOBODY
    odd = [counted_key(facts(caller=name), "user", None) for name in ("\ud800", "?")]
    assert len({*odd, ann}) == 3


@pytest.mark.parametrize("by", ["tenant", "key"])
def test_a_header_counts_if_it_came_once(by: CountedBy) -> None:
    """Whatever the case of its name."""
    acme = counted_key(facts(tenant="acme"), by, "X-Tenant")

    assert acme.startswith(f"{by}/")
    assert acme != counted_key(facts(tenant="other"), by, "X-Tenant")
    assert counted_key(facts(), by, "X-Tenant") == NOBODY
    assert counted_key(facts(tenant="acme", repeated=True), by, "X-Tenant") == NOBODY
    assert counted_key(facts(tenant="acme"), "user", "X-Tenant") == NOBODY


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8::1", "2001:db8::2:3:4:5", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:8000::", True),
        ("a name", "another name", False),
    ],
)
def test_an_address_counts_by_what_its_user_cannot_choose(
    one: str, other: str, *, same: bool
) -> None:
    """Of IPv6 everybody has many."""
    first = counted_key(facts(address=one), "address", None)
    second = counted_key(facts(address=other), "user", None)

    assert first.startswith("address/")
    assert (first == second) is same


@pytest.mark.parametrize(
    ("by", "header", "fits"),
    [
        ("user", None, True),
        ("address", None, True),
        ("tenant", "X-Tenant", True),
        ("key", "X-Key", True),
        ("tenant", None, False),
        ("key", "", False),
        ("user", "X-Tenant", False),
    ],
)
def test_a_header_is_named_where_one_is_read(
    by: CountedBy, header: str | None, *, fits: bool
) -> None:
    """And nowhere else."""
    if fits:
        check_counted_by(by, header)
        return
    said = "^header goes with by: tenant and by: key, and with no other$"
    with pytest.raises(ValueError, match=said):
        check_counted_by(by, header)
