"""``python -m solitaire_lab`` is the console script."""

from solitaire_lab.cli import main

if __name__ == "__main__":
    main()
