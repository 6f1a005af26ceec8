"""A run in a process of its own, for tests to kill. It has no main guard, on purpose."""

import json
import logging
import resource
import sys
from pathlib import Path

from solitaire_lab.errors import InputError
from solitaire_lab.study.run import Stopped, run
from tests.study.fakes import FakeSearch, a_study

out, seeds, options = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
logging.basicConfig(level=options.get("level", "WARNING"), stream=sys.stdout, format="%(process)d %(message)s")
search = FakeSearch(
    logs="level" in options,
    seconds=options.get("seconds", 0.0),
    endless=frozenset(options.get("endless", [])),
    deaf=frozenset(options.get("deaf", [])),
    journal=Path(options["journal"]) if "journal" in options else None,
)
if "largest_file" in options:
    resource.setrlimit(resource.RLIMIT_FSIZE, (options["largest_file"], options["largest_file"]))
try:
    summary = run(
        a_study(seeds), out, workers=options.get("workers", 2), start_method=options.get("method"), decider=search
    )
except InputError as error:
    sys.exit(str(error))
except Stopped as stopped:
    print(stopped)
    sys.exit(stopped.exit_code)
print(json.dumps({"decided": summary.decided, "crashed": summary.crashed}))
