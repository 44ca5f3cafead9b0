"""``python -m codekin``: the command line."""

from codekin.cli import main

if __name__ == "__main__":
    main()
