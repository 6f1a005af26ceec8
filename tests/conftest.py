"""What holds for all tests: the time that an example takes is no test of ours, and Ctrl-C is heard."""

import signal

from hypothesis import settings

settings.register_profile("lab", deadline=None)
settings.load_profile("lab")

# A shell starts what it runs in the background with Ctrl-C ignored, and processes inherit that; here they are sent it.
signal.signal(signal.SIGINT, signal.default_int_handler)
