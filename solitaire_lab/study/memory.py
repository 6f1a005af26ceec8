"""How much memory this process may use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from solitaire_lab.study.cpus import CGROUP, CGROUPS, control_groups

_NO_LIMIT = 1 << 60
"""Version 1 of control groups has a number near 2^63 where there is no limit."""


@dataclass(frozen=True)
class Memory:
    """Memory in bytes; None where the system doesn't tell."""

    total: int | None
    """Of the machine."""
    available: int | None
    """Of that, what new work may take without swapping."""
    limit: int | None
    """The least that a control group around this process grants, if one does."""

    @property
    def usable(self) -> int | None:
        """What is available, as far as the control groups allow."""
        known = [size for size in (self.available, self.limit) if size is not None]
        return min(known, default=None)


def memory(*, meminfo: Path = Path("/proc/meminfo"), proc: Path = CGROUP, root: Path = CGROUPS) -> Memory:
    """The memory of this machine and of this process's control groups."""
    sizes: dict[str, int] = {}
    try:
        for line in meminfo.read_text().splitlines():
            name, _, value = line.partition(":")
            if value.endswith(" kB"):
                sizes[name] = 1024 * int(value.removesuffix(" kB"))
    except (OSError, ValueError):
        pass
    limits = [
        limit
        for version, folder in control_groups("memory", proc=proc, root=root)
        if (limit := _limit(version, folder))
    ]
    return Memory(sizes.get("MemTotal"), sizes.get("MemAvailable"), min(limits, default=None))


def _limit(version: int, folder: Path) -> int | None:
    try:
        text = (folder / ("memory.max" if version == 2 else "memory.limit_in_bytes")).read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdigit() and int(text) < _NO_LIMIT else None
