"""What a bug report should tell about a machine, and whether studies can be run on it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solitaire_lab import __version__
from solitaire_lab.errors import InputError
from solitaire_lab.results.files import locked, reason, write_whole
from solitaire_lab.study.cpus import available_cpus, cgroup_limits
from solitaire_lab.study.memory import Memory, memory
from solitaire_lab.study.sizes import size_text

if TYPE_CHECKING:
    from solitaire_lab.study.self_test import SelfTest

NEEDED = ("click", "multiprocessing-logging", "numba", "numpy", "pandas", "pyarrow", "pydantic", "scipy", "tqdm")
EXTRAS = {
    "matplotlib": "plot",
    "duckdb": "query",
    "ipykernel": "notebooks",
    "jupytext": "notebooks",
    "nbclient": "notebooks",
}
"""Packages that only some commands need, with the extra that brings each."""

_LITTLE_DISK = 100_000_000
"""Bytes; a million deals of Storehouse take less."""


@dataclass(frozen=True)
class Cores:
    """Processors."""

    machine: int
    affinity: int
    """What the CPU affinity leaves to this process."""
    limit: int | None
    """What the control groups grant, if they limit it."""
    used: int
    """What a run uses unless it is told."""


@dataclass(frozen=True)
class Kernel:
    """The compiled kernel."""

    folder: str
    kept: bool
    """Whether the folder is there for the next run too."""
    compiled: bool
    """Whether the folder held the kernel before the self-test."""
    bytes: int
    others: int
    """Kernels of other versions beside it, which may be deleted."""
    others_bytes: int


@dataclass(frozen=True)
class Folder:
    """Where results would be written."""

    path: str
    writable: bool
    free: int | None
    """Bytes that are free on its disk, None if that is not known."""


@dataclass(frozen=True)
class Checkup:
    """What was found; ``problems`` and ``failures`` say what is wrong and what to do."""

    version: str
    python: str
    system: str
    processor: str
    packages: dict[str, str | None]
    """The version of each package; None if it is not installed."""
    cores: Cores
    memory: Memory
    kernel: Kernel | None
    """None if the solver can't be loaded."""
    folder: Folder
    self_test: SelfTest | None
    """None if it ended by an error."""
    problems: tuple[str, ...]
    """Of the machine."""
    failures: tuple[str, ...]
    """Of the program."""

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and not self.failures

    def record(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"healthy": self.healthy, **asdict(self)}


def checkup(*, folder: Path | str = "results", report: Callable[[str], None] = lambda text: None) -> Checkup:
    """Look at the machine, and run the self-test, which takes about ten seconds and as long again to compile.

    Args:
        folder: where results would be written; nothing stays there.
        report: gets a line if the kernel must be compiled first.
    """
    problems: list[str] = []
    failures: list[str] = []
    packages = {name: _version(name) for name in (*NEEDED, *EXTRAS)}
    for name in NEEDED:
        if packages[name] is None:
            problems.append(f"{name} is not installed; pip install solitaire-lab brings it.")
    if sys.platform != "linux":
        problems.append(f"This is {sys.platform}; solitaire-lab is made for Linux.")
    cores = Cores(os.cpu_count() or 1, _affinity(), min(cgroup_limits(), default=None), available_cpus())
    found = memory()
    kernel = self_test = None
    try:
        kernel = _kernel(problems)
        _check_memory(cores, found, problems)
        from solitaire_lab.study.self_test import self_test as test

        self_test = test(report=report)
        failures += self_test.failures
    except Exception as error:  # Whatever it is, the report has to tell it rather than be lost with it.
        failures.append(f"The self-test ended by {type(error).__name__}: {_one_line(str(error))}.")
    return Checkup(
        version=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        system=f"{platform.platform()}, {platform.machine()}",
        processor=_processor(),
        packages=packages,
        cores=cores,
        memory=found,
        kernel=kernel,
        folder=_folder(Path(folder), problems),
        self_test=self_test,
        problems=tuple(problems),
        failures=tuple(failures),
    )


def checkup_text(found: Checkup) -> str:
    """A checkup as text to be pasted into a bug report, a line a subject, and below what is wrong."""
    cores, free = found.cores, "" if found.folder.free is None else f", {size_text(found.folder.free)} free"
    installed = ", ".join(f"{name} {version}" for name, version in found.packages.items() if version is not None)
    absent = ", ".join(
        f"{name} (extra {EXTRAS[name]})" if name in EXTRAS else name
        for name, version in found.packages.items()
        if version is None
    )
    limit = "no limit" if cores.limit is None else f"a limit of {cores.limit}"
    lines = {
        "solitaire-lab": f"{found.version}, {found.python}",
        "system": found.system,
        "processor": found.processor,
        "packages": installed + (f"; not installed: {absent}" if absent else ""),
        "cores": f"{cores.machine}; affinity {cores.affinity}, control groups {limit}; a run uses {cores.used}",
        "memory": _memory_text(found.memory),
        "kernel": "not found" if found.kernel is None else _kernel_text(found.kernel),
        "results": f"{found.folder.path} {'can' if found.folder.writable else 'can not'} be written{free}",
        "self-test": "ended by an error" if found.self_test is None else _test_text(found.self_test),
    }
    last = [*found.problems, *found.failures] or ["No problem found."]
    if found.self_test is not None and found.self_test.left_out:
        left = found.self_test.left_out
        last.append(f"Not checked for want of time: {', '.join(left)}. Try again when the machine is less busy.")
    return "\n".join([*(f"{name + ':':<15} {text}" for name, text in lines.items()), "", *last])


def _memory_text(found: Memory) -> str:
    total, available, limit = (
        "unknown" if size is None else size_text(size) for size in (found.total, found.available, found.limit)
    )
    return (
        f"{total}, {available} available; control groups {'no limit' if found.limit is None else f'a limit of {limit}'}"
    )


def _kernel_text(kernel: Kernel) -> str:
    state = f"compiled, {size_text(kernel.bytes)}" if kernel.compiled else "not compiled before"
    others = ""
    if kernel.others:
        beside = f"{kernel.others} of other versions beside it ({size_text(kernel.others_bytes)})"
        others = f"; {beside}, kernel-… in {os.path.dirname(kernel.folder)}, may be deleted"
    return f"{kernel.folder}, {'kept' if kernel.kept else 'not kept'}, {state}{others}"


def _test_text(test: SelfTest) -> str:
    left = f" ({len(test.left_out)} left out for want of time)" if test.left_out else ""
    return (
        f"kernel loaded in {test.loading_seconds:.1f} s; {test.decided} deals with published verdicts{left}, "
        f"{test.wins_replayed} wins replayed, {test.nodes:,} nodes in {test.seconds:.1f} s; a study of "
        f"{test.study_deals} deals run and verified in {test.study_seconds:.1f} s"
    )


def _version(package: str) -> str | None:
    try:
        return version_of(package)
    except PackageNotFoundError:
        return None


def _affinity() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    """The model, as Linux tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or "not known"


def _check_memory(cores: Cores, found: Memory, problems: list[str]) -> None:
    from solitaire_lab.solver.solver import DEFAULT_MEMORY

    if found.usable is not None and found.usable < cores.used * DEFAULT_MEMORY:
        problems.append(
            f"A run would use {cores.used} workers with up to {size_text(DEFAULT_MEMORY)} each, more than the "
            f"{size_text(found.usable)} that this process may use; give fewer --workers or less --memory."
        )


def _kernel(problems: list[str]) -> Kernel:
    from solitaire_lab.solver.compiling import cache_folder

    folder = cache_folder()
    # What is not kept has the name of a temporary file.
    kept = folder.name.startswith("kernel-")
    if not kept:
        problems.append(
            "The compiled kernel can't be kept in your cache, so that every run compiles it again; make "
            "~/.cache/solitaire-lab writable, or let XDG_CACHE_HOME name a folder that is."
        )
    others = [path for path in folder.parent.glob("kernel-*") if path != folder] if kept else []
    return Kernel(
        _short(folder),
        kept,
        compiled=any(folder.rglob("*.nbi")),
        bytes=_size(folder),
        others=len(others),
        others_bytes=sum(map(_size, others)),
    )


def _size(folder: Path) -> int:
    """Bytes of the files in a folder; another process may be at work there."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def _folder(path: Path, problems: list[str]) -> Folder:
    """Try to write where results would be written, and leave nothing there."""
    above = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    free = None
    try:
        free = shutil.disk_usage(above).free
        with (
            tempfile.TemporaryDirectory(prefix=".solitaire-lab-", dir=above) as trial,
            locked(Path(trial, "lock")),
        ):
            write_whole(Path(trial, "trial"), b"trial")
    except OSError as error:
        complaint = reason(error)
    except InputError as error:
        complaint = str(error).rstrip(".")
    else:
        complaint = ""
    if complaint:
        problems.append(f"{path} can't be written ({complaint}); go to a folder of yours, or give run another --out.")
    elif free is not None and free < _LITTLE_DISK:
        problems.append(f"Only {size_text(free)} are free on the disk of {path}; make room, or give run another --out.")
    return Folder(_short(path.absolute()), not complaint, free)


def _short(path: Path) -> str:
    """A path without the name of the user."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")
