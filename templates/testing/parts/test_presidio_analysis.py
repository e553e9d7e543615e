"""What Presidio finds is told in the text's own characters, or nothing leaves."""

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from presidio_analyzer import AnalyzerEngine, PatternRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import NoOpNlpEngine

from runtime.recipes.redaction.entities import Form
from runtime.recipes.redaction.presidio_analysis import PresidioFinder, analyzer_of
from runtime.recipes.redaction.scanning import Scanner, Span
from runtime.recipes.redaction.walking import Unreadable

ORDERS = Scanner([("order", Form(pattern=r"ORD-\d{4}", width=8, stands_alone=False))])
NOTHING = object()
SPOKEN = {"en": "Marie Curie", "de": "Lise Meitner"}


class Pipeline:
    """Notes that it may forget.

    Attributes:
        forgot: How often it did.
    """

    forgot = 0

    @contextmanager
    def memory_zone(self) -> Generator[None, None, None]:
        """Forget what is read from here on."""
        yield
        self.forgot += 1


def names(pipeline: object = None) -> AnalyzerEngine:
    """Find a name, in English and German."""
    engine = NoOpNlpEngine([{"lang_code": each, "model_name": ""} for each in SPOKEN])
    if pipeline is not None:
        vars(engine)["nlp"] = dict.fromkeys(SPOKEN, pipeline)
    found = [
        PatternRecognizer("PERSON", supported_language=each, deny_list=[name])
        for each, name in SPOKEN.items()
    ]
    registry = RecognizerRegistry(recognizers=found, supported_languages=list(SPOKEN))
    return AnalyzerEngine(registry, engine, supported_languages=list(SPOKEN))


def spans(text: str, analyzer: AnalyzerEngine | None = None) -> list[Span]:
    """Find an order and names."""
    return list(PresidioFinder(ORDERS, analyzer or names(), ["PERSON"]).spans(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Marie Curie.", [Span(0, 11, "PERSON")]),
        ("\u00df Marie Curie.", [Span(2, 13, "PERSON")]),
        ("\u338f M\u00adarie\u00a0Curi\u0301e.", [Span(2, 15, "PERSON")]),
        # In each language, beside what has a form; two that overlap are one.
        (
            "ORD-1234, Lise Meitner and Marie Curie",
            [Span(0, 8, "order"), Span(10, 22, "PERSON"), Span(27, 38, "PERSON")],
        ),
        ("Marie CurieORD-1234", [Span(11, 19, "order")]),
        ("Marie Curie ORD-1234", [Span(0, 11, "PERSON"), Span(12, 20, "order")]),
        ("somebody", []),
    ],
)
def test_a_name_is_found_where_it_stands(text: str, found: list[Span]) -> None:
    """However its characters are written."""
    assert spans(text) == found


@pytest.mark.parametrize(
    ("text", "is_read"),
    [("", False), (" - ", False), ("adk_author", False), ("a", True), ("1", True)],
)
def test_what_is_no_prose_is_not_read(
    monkeypatch: pytest.MonkeyPatch, text: str, *, is_read: bool
) -> None:
    """If it can't be read, nobody hears what it was."""

    def breaks(*_: object, **__: object) -> None:
        raise LookupError(text)

    analyzer = names()
    monkeypatch.setattr(analyzer, "analyze", breaks)
    if not is_read:
        assert spans(text, analyzer) == []
        return
    with pytest.raises(Unreadable, match=r"^Presidio failed: LookupError$") as refused:
        spans(text, analyzer)
    assert refused.value.__suppress_context__


def test_the_words_of_a_text_are_forgotten() -> None:
    """In each language; an engine that keeps none has nothing to forget."""
    pipeline = Pipeline()

    assert spans("Marie Curie", names(pipeline)) == [Span(0, 11, "PERSON")]
    assert pipeline.forgot == len(SPOKEN)
    assert spans("Marie Curie", names(NOTHING)) == [Span(0, 11, "PERSON")]


def test_without_a_reference_it_needs_no_language_model() -> None:
    """But knows what has a pattern, in English."""
    analyzer = analyzer_of(None)
    finder = PresidioFinder(ORDERS, analyzer, ["IP_ADDRESS"])

    assert analyzer.supported_languages == ["en"]
    assert list(finder.spans("from 192.168.7.9")) == [Span(5, 16, "IP_ADDRESS")]


def test_a_reference_gives_the_analyzer() -> None:
    """Itself, or by a call."""
    assert analyzer_of(f"{__name__}:names").supported_languages == list(SPOKEN)
    assert isinstance(analyzer_of(f"{__name__}:MADE"), AnalyzerEngine)
    said = rf"^{__name__}:NOTHING gives no AnalyzerEngine$"
    with pytest.raises(TypeError, match=said):
        analyzer_of(f"{__name__}:NOTHING")


MADE = names()
