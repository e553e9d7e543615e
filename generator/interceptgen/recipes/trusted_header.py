"""The recipe `trusted_header`."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Final

from pydantic import Field

from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.identity import only_one_identity
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Secret, Settings, bad_value
from interceptgen.recipes.values import HeaderName, Network
from interceptgen.spec.problem import Finding, shown

__all__ = ["TRUSTED_HEADER"]

_NAME: Final = "trusted_header"


class TrustedHeader(Settings):
    """The parameters of `trusted_header`."""

    header: HeaderName = Field(
        default="X-Forwarded-User",
        description="HTTP header that names the caller.",
    )
    secret: Secret | None = Field(
        default=None,
        description="What the gateway knows and nobody else.",
    )
    gateway_header: HeaderName = Field(
        default="X-Gateway-Secret",
        description="HTTP header that the gateway sends the secret in.",
    )
    peers: tuple[Network, ...] = Field(
        default=(),
        description="Networks that the gateway connects from, such as 10.1.0.0/16.",
    )


def _gateway_is_known(chain: Chain) -> Iterator[Finding]:
    """Report a gateway that can't be told from anybody else."""
    for use, settings in _uses(chain):
        if settings.secret is None and not settings.peers:
            message = f"nothing tells the gateway of {shown(use.name)} from others"
            problem = bad_value(message, "add secret: {env: NAME}, or peers:")
            yield Finding(loc=use.setting(), problem=problem, at_key=True)


def _headers_fit(chain: Chain) -> Iterator[Finding]:
    """Report a header for no secret, and one header for two things."""
    for use, settings in _uses(chain):
        loc = use.setting("gateway_header")
        if settings.secret is None:
            if "gateway_header" in settings.model_fields_set:
                problem = bad_value(
                    "'gateway_header' is never read", "add secret: {env: NAME}"
                )
                yield Finding(loc=loc, problem=problem, at_key=True)
        elif settings.header.lower() == settings.gateway_header.lower():
            message = "one header can't hold both the name and the secret"
            problem = bad_value(message, "choose another one for one of them")
            yield Finding(loc=use.setting("header"), problem=problem)


def _uses(chain: Chain) -> Iterator[tuple[Use, TrustedHeader]]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, TrustedHeader):
            yield use, use.settings


def _environment(_: Settings) -> Mapping[str, str]:
    return {"secret": "what-the-gateway-of-the-tests-knows"}


def _samples(settings: Settings) -> Mapping[str, object]:
    """Give what the gateway sends and where from."""
    if not isinstance(settings, TrustedHeader):
        return {}
    proof: dict[str, str] = {}
    if settings.secret is not None:
        proof[settings.gateway_header] = _environment(settings)["secret"]
    networks = map(ip_network, settings.peers)
    return {
        "PROOF": proof,
        "GATEWAYS": tuple(str(network[-1]) for network in networks),
    }


def _start(name: str) -> Mapping[str, object]:
    return {"secret": {"env": f"{name.upper()}_SECRET"}}


TRUSTED_HEADER: Final = Recipe(
    name=_NAME,
    description="Believes the header in which a gateway names the caller.",
    seams=("perimeter", "before_agent"),
    settings=TrustedHeader,
    class_name="TrustedHeader",
    module="recipes.authentication.trusted_header",
    relations=(only_one_identity(_NAME), _gateway_is_known, _headers_fit),
    samples=_samples,
    environment=_environment,
    start=_start,
)
