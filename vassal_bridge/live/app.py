"""The live view as a web application; it is meant for one person's browser on the same computer.

Every address begins with a random token. Requests that name another host than this server are
refused (DNS rebinding), as are cross-site ones; nothing grants other origins anything (no CORS).
Reports are shown in a sandboxed frame: should a game's text ever get past the report's escaping, it
finds no origin, no network and no other page there.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vassal_bridge.errors import FileError, LimitReached
from vassal_bridge.filesafe import read_bounded
from vassal_bridge.limits import MAX_ARCHIVE_BYTES, MAX_LIVE_READERS
from vassal_bridge.live.hub import Hub, Item

SHELL_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE_POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
LANGUAGES = {"en": "en", "zh": "zh-CN"}


def make_app(hub: Hub, token: str, hosts: frozenset[str], lang: str = "en") -> ASGIApp:
    """The application.

    Args:
        hub: what to show.
        token: first part of every path.
        hosts: the values of the Host header that mean this server, with the port.
        lang: ``"en"`` or ``"zh"``.
    """
    shell = _Shell(hub, lang)
    app = Starlette(
        routes=[
            Route(f"/{token}/", shell.index),
            Route(f"/{token}/live.js", shell.script),
            Route(f"/{token}/live.css", shell.style),
            Route(f"/{token}/events", shell.events),
            Route(f"/{token}/page/{{number:int}}", shell.page),
            Route(f"/{token}/file/{{number:int}}/{{index:int}}", shell.file),
        ],
    )
    app.router.redirect_slashes = False
    return Gate(app, token, hosts)


class Gate:
    """Lets through who knows the token and means this server; puts the headers on all answers."""

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self._app = app
        self._token = token
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope["path"], Headers(scope=scope))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("content-security-policy", "default-src 'none'; sandbox")
            await send(message)

        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, path: str, headers: Headers) -> Response | None:
        if headers.getlist("host") != [headers.get("host", "")] or (
            headers.get("host", "").lower() not in self._hosts
        ):
            return PlainTextResponse("wrong host", 421)
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://").lower() not in self._hosts:
            return PlainTextResponse("wrong origin", 403)
        cross = headers.get("sec-fetch-site") in {"cross-site", "same-site"}
        if cross and headers.get("sec-fetch-mode") != "navigate":
            return PlainTextResponse("wrong origin", 403)
        given = path.split("/", 2)[1] if path.startswith("/") else ""
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return PlainTextResponse("not found", 404)
        return None


class _Shell:
    """The page around the reports, and what it asks for."""

    def __init__(self, hub: Hub, lang: str) -> None:
        self._hub = hub
        html = _static("live.html").replace('lang="en"', f'lang="{LANGUAGES.get(lang, "en")}"', 1)
        self._html, self._js, self._css = html, _static("live.js"), _static("live.css")

    async def index(self, request: Request) -> Response:
        """The page."""
        del request
        return _answer(self._html, "text/html")

    async def script(self, request: Request) -> Response:
        """Its script."""
        del request
        return _answer(self._js, "text/javascript")

    async def style(self, request: Request) -> Response:
        """Its style."""
        del request
        return _answer(self._css, "text/css")

    async def events(self, request: Request) -> Response:
        """Server-Sent Events: what is new since the last event the browser saw."""
        if self._hub.readers >= MAX_LIVE_READERS:
            return PlainTextResponse("too many windows", 503)
        text = request.headers.get("last-event-id", "0")
        after = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
        if after > max((item.number for item in self._hub.items()), default=0):
            after = 0  # of an earlier run
        return StreamingResponse(self._stream(after), media_type="text/event-stream")

    async def _stream(self, after: int) -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        try:
            async for item in self._hub.listen(after):
                yield event_text(item)
        except LimitReached:
            return
        yield "event: end\ndata: {}\n\n"

    async def page(self, request: Request) -> Response:
        """The report of one item."""
        item = self._item(request)
        if item is None or item.page is None:
            return PlainTextResponse("not found", 404)
        return _file(item.page, {"content-security-policy": PAGE_POLICY}, "text/html")

    async def file(self, request: Request) -> Response:
        """One of the outputs of an item, to be saved."""
        item = self._item(request)
        index = request.path_params["index"]
        if item is None or index >= len(item.files):
            return PlainTextResponse("not found", 404)
        path = item.files[index]
        name = "".join(
            c if c.isascii() and (c.isalnum() or c in "-_. ") else "_" for c in path.name
        )
        disposition = f'attachment; filename="{name}"'
        return _file(path, {"content-disposition": disposition}, "application/octet-stream")

    def _item(self, request: Request) -> Item | None:
        return self._hub.get(request.path_params["number"])


def event_text(item: Item | None) -> str:
    """An item as a Server-Sent Event; None as a comment that keeps the connection alive."""
    if item is None:
        return ": still here\n\n"
    data = json.dumps(item.as_json(), ensure_ascii=True)
    return f"id: {item.number}\nevent: file\ndata: {data}\n\n"


def _answer(text: str, media_type: str) -> Response:
    headers = {"content-security-policy": SHELL_POLICY, "x-frame-options": "DENY"}
    return Response(text, media_type=media_type, headers=headers)


def _file(path: Path, headers: Mapping[str, str], media_type: str) -> Response:
    try:
        data = read_bounded(path, MAX_ARCHIVE_BYTES)
    except FileError:
        return PlainTextResponse("not there any more", 404)
    return Response(data, media_type=media_type, headers=dict(headers))


def _static(name: str) -> str:
    return (files("vassal_bridge.live") / "static" / name).read_text("utf-8")
