"""Asks an ASGI application directly: no network, no further library."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message, Scope


@dataclass(frozen=True)
class Answer:
    status_code: int
    pairs: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.pairs)

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True)
class Client:
    app: ASGIApp
    host: str = "127.0.0.1:5000"

    def get(self, path: str, headers: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> Answer:
        return self.ask("GET", path, headers)

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | Iterable[tuple[str, str]] = ()
    ) -> Answer:
        pairs = list(headers.items() if isinstance(headers, Mapping) else headers)
        if not any(name == "host" for name, _ in pairs):
            pairs.append(("host", self.host))
        scope: dict[str, Any] = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 5000),
            "headers": [(name.encode(), value.encode()) for name, value in pairs],
        }  # fmt: skip
        return asyncio.run(self._run(scope))

    async def _run(self, scope: Scope) -> Answer:
        messages: list[Message] = []
        asked = False

        async def receive() -> Message:
            nonlocal asked
            if asked:
                await asyncio.sleep(5)
                return {"type": "http.disconnect"}
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            messages.append(message)

        await asyncio.wait_for(self.app(scope, receive, send), 10)
        start = messages[0]
        headers = tuple((name.decode(), value.decode()) for name, value in start["headers"])
        body = b"".join(message.get("body", b"") for message in messages[1:])
        return Answer(start["status"], headers, body)
