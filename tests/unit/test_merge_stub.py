"""A stub is known again in any host, and by nothing but its own text."""

import pytest

from interceptgen.merge import stub_hash
from interceptgen.merge.stub import host_lines

TEXT = (
    '    def a(self):\n        """Do.\n\n        Deep.\n        """\n        return 1\n'
)


@pytest.mark.parametrize("unit", ["\t", "  ", "   ", "        "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_host_does_not_change_the_hash(unit: str, end: str) -> None:
    hosted = end.join(host_lines(TEXT, unit))
    assert stub_hash(hosted) == stub_hash(hosted + end) == stub_hash(TEXT)


def test_the_hash_is_what_locks_hold() -> None:
    # A lock lives longer than a release: this value may not change.
    assert stub_hash("    def a(self):\n        return 1\n") == (
        "0907640b6f28e8ef9e6f533ad2c52abe83b1bcd361f3e07e12689380c6c0087e"
    )


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("return 1", "return 1 "),
        TEXT.replace("return 1", "return 2"),
        TEXT.replace("        return 1", "\treturn 1"),
        TEXT.replace("        return 1", "    \treturn 1"),
        TEXT.replace("        Deep", "         Deep"),
        TEXT.replace("\n\n", "\n        \n"),
        TEXT.replace("\n\n", "\n"),
        "\n" + TEXT,
        TEXT.replace("    def", "    async def"),
        "",
    ],
)
def test_any_other_text_has_another_hash(other: str) -> None:
    assert stub_hash(other) != stub_hash(TEXT)


@pytest.mark.parametrize("blank", ["\f", "\x0b", "\xa0", "X"])
def test_what_is_no_indentation_is_an_edit(blank: str) -> None:
    assert stub_hash(f"{blank}    def a(self): ...") != stub_hash(
        "    def a(self): ..."
    )


def test_tabs_and_spaces_mixed_is_an_edit() -> None:
    tabs = "\tdef a(self):\n\t\treturn 1\n"
    assert stub_hash(tabs) != stub_hash(tabs.replace("\t\t", "\t    "))


def test_a_host_line_has_no_trailing_blanks() -> None:
    assert host_lines(TEXT, "\t")[2] == ""


def test_odd_indentation_keeps_its_rest() -> None:
    assert host_lines("    a\n      b\n", "\t") == ("\ta", "\t  b")


def test_text_without_indentation_is_taken_as_it_is() -> None:
    assert host_lines("a\n  b\n", "\t") == ("a", "  b")
