"""The front door for `python -m flagfall`."""

import sys

from flagfall.cli import main

if __name__ == "__main__":
    sys.exit(main())
