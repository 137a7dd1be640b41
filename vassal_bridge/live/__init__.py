"""The live view: the page of the latest file in a browser, changing by itself (extra `live`).

`LiveView` is a listener for `vassal_bridge.watch.watch`. It serves on 127.0.0.1 only, below a
random token.
"""

from __future__ import annotations

import secrets
import socket
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from vassal_bridge.errors import UsageError
from vassal_bridge.live.hub import Hub
from vassal_bridge.watch.events import Done, Event, Failed, Started
from vassal_bridge.watch.work import one_line

if TYPE_CHECKING:
    import uvicorn

__all__ = ["Hub", "LiveView"]

ADDRESS = "127.0.0.1"


class LiveView:
    """Serves the live view from a thread; a listener of the watcher.

    Args:
        port: 0 = any free one.
        lang: ``"en"`` or ``"zh"``.

    Raises:
        UsageError: the extra `live` is not installed, or the port is taken.
    """

    def __init__(self, *, port: int = 0, lang: str = "en") -> None:
        if find_spec("starlette") is None or find_spec("uvicorn") is None:
            raise UsageError(
                'the live view needs its extra: pip install ".[live]" in a copy of the sources'
            )
        self.hub = Hub()
        self._lang = lang
        self._token = secrets.token_urlsafe(24)
        self._roots: tuple[Path, ...] = ()
        self._socket = _listen(port)
        self._port: int = self._socket.getsockname()[1]
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """What to open in the browser; whoever knows it may read the reports."""
        return f"http://{ADDRESS}:{self._port}/{self._token}/"

    def start(self) -> None:
        """Begin to serve; returns when it does."""
        import uvicorn

        from vassal_bridge.live.app import make_app

        hosts = frozenset({f"{ADDRESS}:{self._port}", f"localhost:{self._port}"})
        config = uvicorn.Config(
            make_app(self.hub, self._token, hosts, self._lang),
            access_log=False,  # it would log the token
            http="h11",
            lifespan="off",
            log_config=None,
            log_level="critical",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        server = self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=server.run, kwargs={"sockets": [self._socket]}, name="live", daemon=True
        )
        self._thread.start()
        deadline = time.monotonic() + 10
        while not server.started and self._thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.01)

    def stop(self) -> None:
        """End within two seconds, open windows or not."""
        self.hub.close()
        if self._server is not None:
            self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(2)
        self._socket.close()

    def __call__(self, event: Event) -> None:
        """Take an event of the watcher."""
        now = time.strftime("%H:%M:%S")
        if isinstance(event, Started):
            self._roots = event.roots
        elif isinstance(event, Done):
            result = event.result
            self.hub.publish(
                self._name(event.path),
                one_line(result.headline),
                result.mark,
                now,
                result.shown_page,
                result.outputs,
            )
        elif isinstance(event, Failed):
            self.hub.publish(self._name(event.path), one_line(event.text), "warn", now)

    def _name(self, path: Path) -> str:
        for root in self._roots:
            if path.is_relative_to(root):
                return one_line(path.relative_to(root).as_posix())
        return one_line(path.name)

    def __enter__(self) -> LiveView:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del kind, error, trace
        self.stop()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.bind((ADDRESS, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "not a port"
        raise UsageError(f"port {port} cannot be used: {reason}") from None
    return listener
