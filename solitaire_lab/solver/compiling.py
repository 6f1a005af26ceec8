"""How the kernel is compiled, and where the compiled code is kept.

Numba takes cached code for fresh as long as the function's own file is unchanged, so a constant that changes in
another module would go unnoticed. The folder is therefore named by a hash of all sources that compiled code is made
from. It is set for the functions of this package alone: numba's configuration is put back at once.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, overload

from solitaire_lab.solver.indices import PlainIndices

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config

_SOLVER = Path(__file__).parent
_SOURCES = (
    _SOLVER.parent / "rules" / "model.py",
    _SOLVER.parent / "engine" / "moves.py",
    *sorted(_SOLVER.glob("*.py")),
)


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """The folder for compiled code of this version of the sources; made if it is missing.

    It lies in the user's cache (``XDG_CACHE_HOME``, or ``~/.cache``). Where that can't be written it is a fresh folder
    for temporary files, and the kernel is compiled for every run: numba loads what it finds in its folder, so a folder
    that others could have filled is not used.
    """
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__}".encode())
    for source in _SOURCES:
        digest.update(source.read_bytes())
    name = f"kernel-{digest.hexdigest()[:16]}"
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "solitaire-lab"
    folder = user / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="solitaire-lab-"))


_OPTIONS: Any = {"pipeline_class": PlainIndices, "_nrt": False}
"""How all of the kernel is compiled: it makes no arrays, so references to those that it is given need not be counted.
Counting them took one part in sixteen of the time of depth-first searches of two million nodes in How They Run and
Klondike."""


def compiled(function: F) -> F:
    """Compile a function as part of what calls it; numba's own decorators would hide its types."""
    return cast("F", njit(**_OPTIONS)(function))


def inlined(function: F) -> F:
    """Compile a function into every place that calls it."""
    return cast("F", njit(inline="always", **_OPTIONS)(function))


def cached(function: F) -> F:
    """Compile a function on its first call and keep the code in ``cache_folder``."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(cache_folder())
    try:
        return cast("F", njit(cache=True, **_OPTIONS)(function))
    finally:
        _config.CACHE_DIR = before


def prefetch(words: Any, at: int) -> None:
    """Have the processor fetch a word of an array that will be read soon; in plain Python do nothing."""


def _prefetch(context: Any, words: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        word = builder.bitcast(builder.gep(array.data, [args[1]]), ir.PointerType(ir.IntType(8)))
        number = ir.IntType(32)
        takes = ir.FunctionType(ir.VoidType(), (word.type, number, number, number))
        fetch = builder.module.declare_intrinsic("llvm.prefetch", (word.type,), takes)
        # To read it, to keep it in every cache, as data.
        builder.call(fetch, [word, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(words, types.intp), generate


_prefetch_instruction: Any = intrinsic(_prefetch)


@overload(prefetch)
def _compiled_prefetch(words: Any, at: Any) -> Callable[..., None]:
    def fetch(words: Any, at: Any) -> None:
        _prefetch_instruction(words, at)

    return fetch
