"""Files that are written whole or not at all, and the lock on a folder."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from solitaire_lab.errors import InputError


def write_whole(path: Path, data: bytes, *, check: Callable[[Path], None] | None = None) -> None:
    """Write a file so that at any moment it is there as it was, or as it will be.

    Args:
        check: as for ``whole_file``.

    Raises:
        InputError: the file can't be written; what was there before is untouched.
    """
    with whole_file(path, check=check) as file:
        file.write(data)


_GOES_ON = "Nothing that was stored before is lost; when this is mended, the same command goes on from there."


@contextlib.contextmanager
def whole_file(
    path: Path, *, check: Callable[[Path], None] | None = None, consolation: str = _GOES_ON
) -> Iterator[BinaryIO]:
    """A file to write to, that takes its name when the block of code ends, and leaves nothing if it raises.

    The bytes go to a temporary file beside it, whose name begins with a dot and doesn't end like a data file, so that
    no reader of the folder takes it for one.

    Args:
        check: gets the temporary file before it takes the name; it may look at it, and raise.
        consolation: ends the message if it can't be written.

    Raises:
        InputError: the file can't be written; what was there before is untouched.
    """
    temp = path.with_name(f".{path.name}.tmp")
    try:
        with temp.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if check is not None:
            check(temp)
        temp.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        _discard(temp)
        raise InputError(f"{path} can't be written: {reason(error)}. {consolation}") from error
    except BaseException:
        _discard(temp)
        raise


def check_outside(path: Path) -> None:
    """Refuse a name in a results folder, which holds its own files and nothing else.

    Raises:
        InputError: the file or folder is, or would be, in one.
    """
    for folder in Path(os.path.realpath(path)).parents:
        # Two of the three, so that a folder which is damaged is kept from more harm.
        if sum(os.path.exists(folder / name) for name in ("manifest.json", "lock", "cells")) > 1:
            raise InputError(
                f"{path} is in the results folder {folder}, which holds its own files only; give a name outside of it."
            )


@contextlib.contextmanager
def chosen_file(path: Path) -> Iterator[BinaryIO]:
    """A file that a person has chosen, to write to as by ``whole_file``; what a link points to is replaced.

    Raises:
        InputError: it is a folder, a device or the like, it is in a results folder, or it can't be written.
    """
    target = Path(os.path.realpath(path))
    check_outside(path)
    if is_there(target) and not target.is_file():
        kind = "a folder" if target.is_dir() else "no ordinary file"
        raise InputError(f"{path} is {kind}; give the name of a file.")
    with whole_file(target, consolation="Nothing was changed.") as file:
        yield file


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where they are missing.

    Raises:
        InputError: it can't be made.
    """
    try:
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        path.mkdir(parents=True, exist_ok=True)
        for folder in missing:
            sync_folder(folder.parent)
    except (FileExistsError, NotADirectoryError):
        raise InputError(f"{path} can't be a folder, since a file has that name; choose another folder.") from None
    except OSError as error:
        raise InputError(f"The folder {path} can't be made: {reason(error)}.") from error


def is_there(path: Path) -> bool:
    """Whether there is something of this name.

    Raises:
        InputError: that can't be found out, as in a folder that may not be read.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"{path} can't be read: {reason(error)}.") from error
    return True


def sync_folder(path: Path) -> None:
    """Have the names in a folder written to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def meant_name(name: str) -> str | None:
    """The name that a temporary file of ``write_whole`` was to get; None if this is no such file's name."""
    return name[1:-4] if name.startswith(".") and name.endswith(".tmp") else None


def reason(error: OSError) -> str:
    """Why the system refused, as a clause."""
    # Not its own text, into which pyarrow puts the path and more.
    return os.strerror(error.errno).lower() if error.errno else str(error).partition("\n")[0].rstrip(".")


def _discard(temp: Path) -> None:
    with contextlib.suppress(OSError):
        temp.unlink(missing_ok=True)


_held: set[int] = set()


def _drop_inherited() -> None:
    """A forked worker must not keep its parent's lock alive when the parent dies."""
    for handle in _held:
        os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_drop_inherited)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that the file ``path`` stands for; it ends with the process, however that ends.

    Raises:
        InputError: another process holds it, or the file can't be made.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise InputError(f"{path} can't be written: {reason(error)}; choose another folder.") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip()
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise InputError(
                f"Another run ({who}) is at work on {path.parent}; wait until it has ended, or choose another folder."
            ) from None
        except OSError as error:
            raise InputError(f"{path} can't be locked: {reason(error)}.") from error
        _held.add(handle)
        # Only a help for people, so a full disk may leave it out: the run's own writing will say that.
        with contextlib.suppress(OSError):
            os.ftruncate(handle, 0)
            os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        if handle in _held:
            _held.discard(handle)
        os.close(handle)
