"""``python -m solitaire_lab`` is the console script."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C ends it with the same word and exit code while it is still imported."""
    try:
        from solitaire_lab.cli import main as run

        run()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
