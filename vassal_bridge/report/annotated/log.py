"""The annotated log: verdicts in the chat as the log steps, and a summary at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vassal_bridge.report.annotated.save import chat_safe
from vassal_bridge.vassal import Saved, clean_text
from vassal_bridge.vassal.edit import Editor, chat_command
from vassal_bridge.vassal.ourmarks import MARK


@dataclass(frozen=True, slots=True)
class RoutLine:
    """One line of the audit.

    Attributes:
        step: log step behind which it is said, counted from 1 as VASSAL steps.
        text: the verdict and its reason.
    """

    step: int
    text: str


def annotate_log(saved: Saved, lines: Sequence[RoutLine], summary: Sequence[str]) -> Saved:
    """A copy of a log that says the verdicts as it steps.

    Each line is shown together with the step it belongs to; the summary is a step of its own at the
    end. Lines of an earlier annotation are replaced; every other command keeps its bytes.

    Args:
        saved: the log.
        lines: verdicts by step, in the order they are to be said.
        summary: lines for the end.

    Raises:
        FormatError: the text has no ``end_save``, or there is no such step.
    """
    text, _ = clean_text(saved.text)
    editor = Editor(text)
    for line in lines:
        editor.append_to_step(line.step, [_chat(line.text)])
    if summary and editor.steps:
        editor.insert_step(editor.steps, [_chat(line) for line in summary])
    elif summary:
        editor.add_chat(f"- {MARK} {chat_safe(line)}" for line in summary)
    return saved.with_text(editor.text())


def _chat(text: str) -> str:
    return chat_command(f"- {MARK} {chat_safe(text)}")
