"""Exit codes beyond 0 and click's 2 for wrong usage, such as an unknown option or a missing argument."""

BAD_INPUT = 1
CRASHED_DEALS = 3
CHECK_FAILED = 4
INTERRUPTED = 130
TERMINATED = 143
