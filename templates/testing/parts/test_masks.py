"""What stands in the place of a secret."""

import hashlib
import hmac

import pytest

from runtime.recipes.redaction.masks import Mask

KEY = "k" * 16


def masked(mask: Mask, *pieces: str) -> str:
    """Mask a secret that comes in pieces."""
    covered = mask.cover("card")
    for piece in pieces:
        covered.take(piece)
    return covered.masked()


def test_a_fixed_text_names_the_kind_if_it_is_told_to() -> None:
    """It tells nothing of the secret."""
    assert masked(Mask(), "4111") == "[card]"
    assert masked(Mask(text="*{entity}*{entity}"), "4111") == "*card*card"
    assert masked(Mask(text="gone"), "4111") == "gone"


def test_the_last_characters_are_kept_of_what_is_long_enough() -> None:
    """Of what isn't three times as long, nothing is."""
    mask = Mask(kind="keep_last", keep=2)

    assert masked(mask, "123456") == masked(mask, "123", "45", "6") == "****56"
    assert masked(mask, "12345") == "****"
    assert masked(Mask(kind="keep_last"), "123456789012") == "****9012"
    assert masked(Mask(kind="keep_last", keep=1), "123") == "****3"


def test_a_hash_tells_one_secret_from_another() -> None:
    """Only who has the key can make it; another kind has another one."""
    mask = Mask(kind="hash", key=KEY)
    whole = hmac.new(KEY.encode(), b"card4111", hashlib.sha256).hexdigest()

    assert masked(mask, "4111") == masked(mask, "41", "11") == f"[card:{whole[:10]}]"
    assert masked(mask, "4112") != masked(mask, "4111")


def test_a_mask_that_hides_nothing_is_refused() -> None:
    """A short key can be guessed."""
    with pytest.raises(ValueError, match="16 characters"):
        Mask(kind="hash", key="k" * 15)
    with pytest.raises(ValueError, match="above zero"):
        Mask(kind="keep_last", keep=0)
    assert Mask(keep=0).text == Mask().text
