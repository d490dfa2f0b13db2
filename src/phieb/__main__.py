"""`python -m phieb`."""

from phieb.cli import main

if __name__ == "__main__":
    main()
