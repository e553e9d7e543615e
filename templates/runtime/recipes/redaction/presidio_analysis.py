"""Finds what Presidio finds, in text as patterns see it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pkgutil import resolve_name
from typing import Protocol, runtime_checkable

from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpEngine, NoOpNlpEngine

from .folding import fold
from .scanning import Scanner, Span, merged
from .walking import Unreadable

__all__ = ["PresidioFinder", "analyzer_of"]

# ADK's own keys: no prose, and a reader tells things by them.
_OF_ADK = "adk_"


def analyzer_of(reference: str | None) -> AnalyzerEngine:
    """Make the analyzer.

    Args:
        reference: What gives it, as `module:function`; without one it has the
            recognizers of Presidio that need no language model, for English.

    Raises:
        ImportError: If the module isn't there.
        AttributeError: If the function isn't.
        TypeError: If it gives no `AnalyzerEngine`.
    """
    if reference is None:
        engine = NoOpNlpEngine(models=[{"lang_code": "en", "model_name": ""}])
        registry = RecognizerRegistry()
        registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
        return AnalyzerEngine(registry=registry, nlp_engine=engine)
    make: object = resolve_name(reference)
    made: object = make() if callable(make) else make
    if not isinstance(made, AnalyzerEngine):
        raise TypeError(f"{reference} gives no AnalyzerEngine")
    return made


class PresidioFinder:
    """Finds what the scanner finds, and what Presidio does.

    Presidio reads whole texts only, and takes milliseconds for each: not for the
    event loop.
    """

    def __init__(
        self, scanner: Scanner, analyzer: AnalyzerEngine, entities: Sequence[str]
    ) -> None:
        """Find these entities of Presidio besides."""
        self._scanner = scanner
        self._analyzer = analyzer
        self._entities = list(entities)

    def spans(self, text: str) -> Iterator[Span]:
        """Find all secrets of a text; those that overlap are one.

        Raises:
            Unreadable: If Presidio fails.
        """
        found = list(self._scanner.spans(text))
        if any(map(str.isalnum, text)) and not text.startswith(_OF_ADK):
            try:
                found += self._analyzed(text)
            except Exception as error:
                # Its own text may hold what was to be masked.
                message = f"Presidio failed: {type(error).__name__}"
                raise Unreadable(message) from None
        return merged(found)

    def _analyzed(self, text: str) -> Iterator[Span]:
        folded = fold(text)
        plain = folded.data.decode()
        for language in self._analyzer.supported_languages:
            with _memory_zone(self._analyzer.nlp_engine, language):
                results = self._analyzer.analyze(plain, language, self._entities)
            for result in results:
                start = len(plain[: result.start].encode())
                end = folded.up(len(plain[: result.end].encode()))
                yield Span(folded.origin(start), folded.origin(end), result.entity_type)


@runtime_checkable
class _WithPipelines(Protocol):
    """An engine of Presidio's that runs spaCy."""

    nlp: Mapping[str, object]


@runtime_checkable
class _Forgetful(Protocol):
    """A pipeline of spaCy's; its own type isn't known in full."""

    def memory_zone(self) -> AbstractContextManager[object]: ...


def _memory_zone(engine: NlpEngine, language: str) -> AbstractContextManager[object]:
    """Let spaCy forget the words of a text; else it keeps each new one for ever."""
    if isinstance(engine, _WithPipelines):
        pipeline = engine.nlp.get(language)
        if isinstance(pipeline, _Forgetful):
            return pipeline.memory_zone()
    return nullcontext()
