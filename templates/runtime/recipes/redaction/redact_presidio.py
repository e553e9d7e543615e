"""The recipe `redact` with Presidio, for what has no form: names and places."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from ...seams.protocols import Closing, OnSendOffLoop, Outgoing
from .entities import EntityName
from .file_texts import FileRule
from .held_texts import Stream, Update
from .masks import MaskKind
from .presidio_analysis import PresidioFinder, analyzer_of
from .redact import Redact
from .scanning import Finder, Scanner
from .walking import Unreadable
from .whole_text import WholeText

__all__ = ["RedactWithPresidio"]


class RedactWithPresidio(Redact, OnSendOffLoop, Closing):
    """Masks what Presidio finds as well.

    It analyses in a thread of its own, one event at a time: spaCy's vocabulary isn't
    made to be shared. Of a text that comes in chunks nothing leaves before its end,
    since a name is told by what stands around it.
    """

    def __init__(
        self,
        *,
        entities: tuple[EntityName, ...] = ("email", "card", "iban", "phone", "secret"),
        patterns: tuple[str, ...] = (),
        presidio: tuple[str, ...] = (),
        analyzer: str | None = None,
        presidio_timeout_s: float = 5,
        mask: MaskKind = "fixed",
        text: str = "[{entity}]",
        keep: int = 4,
        hash_key: str | None = None,
        files: FileRule = "drop",
        hold_back: int = 160,
    ) -> None:
        """Look for these, and mask them so.

        Args:
            entities: As in `Redact`.
            patterns: As in `Redact`.
            presidio: What Presidio looks for, by its names.
            analyzer: What gives Presidio's `AnalyzerEngine`, as `module:function`;
                one without a language model if None.
            presidio_timeout_s: Seconds that an event may take.
            mask: As in `Redact`.
            text: As in `Redact`.
            keep: As in `Redact`.
            hash_key: As in `Redact`.
            files: As in `Redact`.
            hold_back: The most characters of a text in chunks; a longer one fails
                the run.

        Raises:
            ValueError: As in `Redact`, and if the analyzer doesn't know an entity.
            ImportError: If the analyzer's module isn't there.
            AttributeError: If its function isn't.
            TypeError: If it gives no `AnalyzerEngine`.
        """
        self._analyzer = analyzer_of(analyzer)
        # Presidio itself passes over what it doesn't know.
        unknown = set(presidio) - set(self._analyzer.get_supported_entities())
        if unknown or not presidio:
            raise ValueError(f"Presidio can't find {', '.join(sorted(unknown))}")
        self._entities = presidio
        self._timeout_s = presidio_timeout_s
        self._hold_back = hold_back
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="presidio")
        super().__init__(
            entities=entities,
            patterns=patterns,
            mask=mask,
            text=text,
            keep=keep,
            hash_key=hash_key,
            files=files,
            hold_back=hold_back,
        )

    async def on_send_off_loop(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Give a redacted copy, made in the thread.

        Raises:
            Unreadable: If something can't be searched, or not in time; the run
                fails then.
        """
        # What is held of a request is found by its context.
        context = copy_context()
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(
            self._thread, lambda: context.run(self.on_send, event)
        )
        try:
            return await asyncio.wait_for(work, self._timeout_s)
        except TimeoutError:
            message = f"Presidio took more than {self._timeout_s} s"
            raise Unreadable(message) from None

    async def close(self) -> None:
        """Let the thread end."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _finder(self, scanner: Scanner) -> Finder:
        return PresidioFinder(scanner, self._analyzer, self._entities)

    def _begin(self) -> Stream:
        return _HeldWhole(self._whole, self._hold_back)

    def _clears(self, event: Update) -> bool:
        del event
        return False


class _HeldWhole:
    """A text in chunks that leaves at its end."""

    def __init__(self, whole: WholeText, most: int) -> None:
        self._whole, self._most = whole, most
        self._text = ""

    def take(self, text: str, *, is_last: bool = False) -> str:
        self._text += text
        if len(self._text) > self._most:
            raise Unreadable(f"a text in chunks has more than {self._most} characters")
        return self._whole.redact(self._text) if is_last else ""
