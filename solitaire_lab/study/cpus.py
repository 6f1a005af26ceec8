"""How many processors this process may use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def available_cpus() -> int:
    """Processors that the CPU affinity and the CPU limit of the control group leave to this process, at least 1."""
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([affinity, *cgroup_limits()]))


def cgroup_limits(*, proc: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")) -> Iterator[int]:
    """The whole processors that each control group around this process grants; groups without a limit are left out."""
    try:
        lines = proc.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        hierarchy, controllers, path = line.split(":", 2)
        if hierarchy == "0":
            top, read = root, _limit
        elif "cpu" in controllers.split(","):
            top, read = root / controllers, _limit_v1
        else:
            continue
        group = top / path.lstrip("/")
        # Within a container the path may be that of the host; then only the top, which is the container's own, exists.
        for folder in (group, *group.parents):
            limit = read(folder)
            if limit is not None:
                yield limit
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
