"""Lets test modules import ``strategies``; the time that an example takes is no test of ours."""

from hypothesis import settings

settings.register_profile("lab", deadline=None)
settings.load_profile("lab")
