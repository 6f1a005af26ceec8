"""How many processors this process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MAX_WORKERS = 1024
"""Processes that may be asked for."""

CGROUP = Path("/proc/self/cgroup")
CGROUPS = Path("/sys/fs/cgroup")


def available_cpus() -> int:
    """Processors that the CPU affinity and the CPU limit of the control group leave to this process, at least 1."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([affinity, *cgroup_limits()]))


def cgroup_limits(*, proc: Path = CGROUP, root: Path = CGROUPS) -> Iterator[int]:
    """The whole processors that each control group around this process grants; groups without a limit are left out."""
    for version, folder in control_groups("cpu", proc=proc, root=root):
        limit = _limit(folder) if version == 2 else _limit_v1(folder)
        if limit is not None:
            yield limit


def control_groups(controller: str, *, proc: Path = CGROUP, root: Path = CGROUPS) -> Iterator[tuple[int, Path]]:
    """The version and the folder of each control group around this process that may limit it, innermost first.

    Args:
        controller: What is limited, such as ``cpu`` or ``memory``.
        proc: Tells the groups of this process.
        root: Holds the folders of all groups.
    """
    try:
        lines = proc.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        hierarchy, controllers, path = line.split(":", 2)
        if hierarchy == "0":
            version, top = 2, root
        elif controller in controllers.split(","):
            version, top = 1, root / controllers
        else:
            continue
        group = top / path.lstrip("/")
        # Within a container the path may be that of the host; then only the top, which is the container's own, exists.
        for folder in (group, *group.parents):
            yield version, folder
            if folder == top:
                break


def _limit(folder: Path) -> int | None:
    """Whole processors by a version 2 group's ``cpu.max``, such as ``150000 100000``."""
    try:
        quota, period = (folder / "cpu.max").read_text().split()
    except OSError:
        return None
    return None if quota == "max" else max(1, int(quota) // int(period))


def _limit_v1(folder: Path) -> int | None:
    try:
        quota, period = (int((folder / f"cpu.cfs_{what}_us").read_text()) for what in ("quota", "period"))
    except OSError:
        return None
    return None if quota < 0 else max(1, quota // period)
