"""A run in a process of its own, for tests to kill. It has no main guard, on purpose."""

import json
import logging
import resource
import sys
from pathlib import Path

from solitaire_lab.errors import InputError
from solitaire_lab.study import supervisor
from solitaire_lab.study.run import Stopped, run
from solitaire_lab.study.worker import decide_by_search
from tests.study.fakes import FakeSearch, a_study

out, seeds, options = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
logging.basicConfig(level=options.get("level", "WARNING"), stream=sys.stdout, format="%(process)d %(message)s")
search = FakeSearch(
    logs="level" in options,
    seconds=options.get("seconds", 0.0),
    slow=frozenset(options.get("slow", [])),
    endless=frozenset(options.get("endless", [])),
    deaf=frozenset(options.get("deaf", [])),
    journal=Path(options["journal"]) if "journal" in options else None,
)
supervisor.STOP_SECONDS = options.get("stop_seconds", supervisor.STOP_SECONDS)
if "largest_file" in options:
    resource.setrlimit(resource.RLIMIT_FSIZE, (options["largest_file"], options["largest_file"]))
study = a_study(seeds, budget=options.get("budget", 1_000), precision=options.get("precision"))
decider = decide_by_search if options.get("real") else search
try:
    summary = run(study, out, workers=options.get("workers", 2), start_method=options.get("method"), decider=decider)
except InputError as error:
    sys.exit(str(error))
except Stopped as stopped:
    print(stopped)
    sys.exit(stopped.exit_code)
print(json.dumps({"decided": summary.decided, "crashed": summary.crashed}))
