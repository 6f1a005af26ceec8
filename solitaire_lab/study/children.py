"""What the parent and its child processes agree on, however they are started: signals, and who dies with whom."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from typing import Literal

StartMethod = Literal["fork", "spawn"]

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Left to the parent."""
_PR_SET_PDEATHSIG = 1


def default_start_method() -> StartMethod:
    """Fork where that is safe: on Linux, in a process without threads (a notebook's kernel has some)."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def stand_alone(parent: int) -> None:
    """In a worker: leave it to the parent to react to signals, and die when it dies."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # It may have died before that; elsewhere, the pipe's end of file and the tick of a search tell.
    if os.getppid() != parent:
        os._exit(1)
