"""The one exception that stands for bad input."""


class InputError(ValueError):
    """Something that a person gave us is wrong.

    Its text says what is wrong, where, and what would be right, in sentences. The command line prints it as it
    is and exits with 1; any other exception is a bug of ours.
    """
