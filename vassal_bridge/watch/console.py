"""The watcher on a terminal: one line per file, in English or Chinese.

Lines about files go to one stream (results), everything else to another (remarks), as for all
commands (contracts.md 4).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from vassal_bridge.watch import events
from vassal_bridge.watch.work import JobResult, Mark, one_line

TEXTS = {
    "en": {
        "started": "Watching {roots}. Ctrl-C ends it.",
        "backlog": "Files already there and not done yet: {n}; new ones go first.",
        "same": "same content as {of}",
        "fault": "internal fault ({text}); please report it",
        "not-whole": "is not complete: VASSAL has not finished it, or it was cut off on the way",
        "gone": "{root} is not there; waiting for it",
        "back": "{root} is there again",
        "polling": "{root} gives no notices of changes; it is looked through every second",
        "too-large": "{root}: {text}; new files are still noticed, please watch a smaller folder",
        "unreadable": "{root} cannot be looked through ({text})",
        "stopped": "Ended; files done: {n}.",
        "and": ", ",
    },
    "zh": {
        "started": "正在监视 {roots}。按 Ctrl-C 结束。",
        "backlog": "已有 {n} 个文件待处理；新文件优先。",
        "same": "内容与 {of} 相同",
        "fault": "程序内部错误（{text}），请报告",
        "not-whole": "文件不完整：VASSAL 尚未写完，或传输中断",
        "gone": "{root} 不存在，等待其出现",
        "back": "{root} 已恢复",
        "polling": "{root} 不提供变更通知，改为每秒扫描",
        "too-large": "{root}：{text}；新文件仍会被发现，请改为监视较小的文件夹",
        "unreadable": "无法浏览 {root}（{text}）",
        "stopped": "已结束；共处理 {n} 个文件。",
        "and": "、",
    },
}

COLOURS: dict[Mark, str] = {"good": "32", "warn": "33", "bad": "31"}
SIGNS: dict[Mark, str] = {"good": "  ", "warn": "! ", "bad": "!!"}
"""What says the same as the colour, which is never the only sign; the live view has the same.

ASCII, because a console that lacks a character shows `?` for it.
"""


class Console:
    """Prints what the watcher tells.

    Args:
        results: stream for the lines about files.
        remarks: stream for everything else.
        lang: ``"en"`` or ``"zh"``.
        colour: whether `results` shows colours.
        roots: watched folders; files are named from there on.
        now: gives the time of day for a line.
        bell: ring for results marked bad.
    """

    def __init__(
        self,
        results: TextIO,
        remarks: TextIO,
        *,
        lang: str = "en",
        colour: bool = False,
        roots: tuple[Path, ...] = (),
        now: Callable[[], str] | None = None,
        bell: bool = False,
    ) -> None:
        self._results = results
        self._remarks = remarks
        self._texts = TEXTS.get(lang, TEXTS["en"])
        self._colour = colour
        self._roots = roots
        self._now = now or (lambda: time.strftime("%H:%M:%S"))
        self._bell = bell

    def __call__(self, event: events.Event) -> None:
        """Print one event."""
        if isinstance(event, events.FileEvent):
            self._file(event)
        elif isinstance(event, events.Started):
            roots = self._texts["and"].join(one_line(str(root)) for root in event.roots)
            self._remark("started", roots=roots)
            if event.backlog:
                self._remark("backlog", n=event.backlog)
        elif isinstance(event, events.Stopped):
            self._remark("stopped", n=event.done)
        elif isinstance(event, events.TooLarge | events.Unreadable):
            key = "too-large" if isinstance(event, events.TooLarge) else "unreadable"
            self._remark(key, root=one_line(str(event.root)), text=one_line(event.text))
        else:
            names = {
                events.FolderGone: "gone",
                events.FolderBack: "back",
                events.Polling: "polling",
            }
            self._remark(names[type(event)], root=one_line(str(event.root)))

    def _file(self, event: events.FileEvent) -> None:
        name = self._name(event.path)
        if isinstance(event, events.Done):
            result = event.result
            self._line(result.mark, name, result.headline, self._beside(event.path, result))
            if self._bell and result.mark == "bad":
                self._remarks.write("\a")
                self._remarks.flush()
        elif isinstance(event, events.Same):
            self._line("good", name, self._texts["same"].format(of=event.of), "")
        elif isinstance(event, events.NotWhole):
            self._write(self._remarks, f"{name}: {self._texts['not-whole']}")
        else:
            text = event.text
            if event.fault:
                text = self._texts["fault"].format(text=text)
            self._write(self._remarks, f"{name}: {one_line(text)}")

    def _line(self, mark: Mark, name: str, headline: str, where: str) -> None:
        text = f"{SIGNS[mark]} {one_line(headline)}"
        if self._colour:
            text = f"\x1b[{COLOURS[mark]}m{text}\x1b[0m"
        arrow = f"  → {where}" if where else ""
        self._write(self._results, f"{self._now()}  {name}  {text}{arrow}")

    def _name(self, path: Path) -> str:
        for root in self._roots:
            if path.is_relative_to(root):
                return one_line(path.relative_to(root).as_posix())
        return one_line(str(path))

    def _beside(self, path: Path, result: JobResult) -> str:
        """Where the overlay is, seen from the file's own folder if it lies below it."""
        overlay = result.pointed_at
        if overlay is None:
            return ""
        if overlay.is_relative_to(path.parent):
            return one_line(overlay.relative_to(path.parent).as_posix())
        return one_line(str(overlay))

    def _remark(self, key: str, **values: object) -> None:
        self._write(self._remarks, self._texts[key].format(**values))

    def _write(self, stream: TextIO, text: str) -> None:
        encoding = getattr(stream, "encoding", None) or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
