"""Analyzers of Presidio that need no language model; recipes name them."""

from threading import Event as Flag
from threading import current_thread

import spacy
from presidio_analyzer import (
    AnalyzerEngine,
    EntityRecognizer,
    PatternRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.nlp_engine import (
    NlpArtifacts,
    NlpEngine,
    NoOpNlpEngine,
    SpacyNlpEngine,
)

__all__ = ["PIPELINE", "THREADS", "blocked", "broken", "names", "nothing", "spoken"]

NAMES = ["Marie Curie", "Ada Lovelace"]
THREADS = set[str]()
"""The threads that something was analysed in."""
RELEASED = Flag()
"""Lets the analyses of `blocked` go on."""
PIPELINE = spacy.blank("en")


class Noting(PatternRecognizer):
    """Finds the names, and notes where it runs."""

    def analyze(
        self,
        text: str,
        entities: list[str],
        nlp_artifacts: NlpArtifacts | None = None,
        regex_flags: int | None = None,
    ) -> list[RecognizerResult]:
        THREADS.add(current_thread().name)
        return super().analyze(text, entities, nlp_artifacts, regex_flags)


class Breaking(EntityRecognizer):
    """Fails, and tells the text."""

    def load(self) -> None:
        pass

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts
    ) -> list[RecognizerResult]:
        raise LookupError(f"not in {text}")


class Blocking(Breaking):
    """Takes as long as the test wants."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts
    ) -> list[RecognizerResult]:
        RELEASED.wait(10)
        return []


def names() -> AnalyzerEngine:
    """Find names."""
    return _engine(Noting(supported_entity="PERSON", deny_list=NAMES))


def broken() -> AnalyzerEngine:
    """Fail at each text."""
    return _engine(Breaking(supported_entities=["PERSON"]))


def blocked() -> AnalyzerEngine:
    """Hang at each text."""
    return _engine(Blocking(supported_entities=["PERSON"]))


def spoken() -> AnalyzerEngine:
    """Find names with a pipeline of spaCy."""
    engine = SpacyNlpEngine()
    # As loading a model does; Presidio declares None alone.
    vars(engine)["nlp"] = {"en": PIPELINE}
    return _engine(Noting(supported_entity="PERSON", deny_list=NAMES), engine)


def nothing() -> str:
    """Give no analyzer."""
    return "none"


def _engine(
    recognizer: EntityRecognizer, nlp_engine: NlpEngine | None = None
) -> AnalyzerEngine:
    nlp_engine = nlp_engine or NoOpNlpEngine([{"lang_code": "en", "model_name": ""}])
    registry = RecognizerRegistry(recognizers=[recognizer])
    return AnalyzerEngine(registry=registry, nlp_engine=nlp_engine)
