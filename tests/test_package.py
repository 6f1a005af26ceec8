"""The package as a stranger gets it: the wheel, without extras, in an empty environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab import __version__

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[1]


def run(*command: Any, folder: Path) -> str:
    """What a command prints, with nothing of this checkout on its path; it must end well and complain about nothing."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, folder=folder)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_alone(wheel: Path) -> None:
    assert wheel.name == f"solitaire_lab-{__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {"solitaire_lab", f"solitaire_lab-{__version__}.dist-info"}
    assert "solitaire_lab/rules/games/storehouse.toml" in names
    assert "solitaire_lab/py.typed" in names


def test_the_wheel_works_without_extras_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "venv", folder=tmp_path)
    binaries = tmp_path / "venv" / "bin"
    run(binaries / "pip", "install", "--quiet", wheel, folder=tmp_path)
    assert "Commands:" in run(binaries / "solitaire-lab", "--help", folder=tmp_path)
    table = run(binaries / "solitaire-lab", "run", "storehouse", "--deals", "10", "--json", folder=tmp_path)
    (row,) = json.loads(table)
    assert row["deals"] == 10
    assert "No problem" in run(
        binaries / "python", "-m", "solitaire_lab", "verify", "results/storehouse-run", folder=tmp_path
    )
