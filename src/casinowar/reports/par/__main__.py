"""Pack the register of ambiguities with the sheets: `python -m casinowar.reports.par`, from the root of a checkout."""

import sys
from pathlib import Path

from casinowar.reports.par.register import PACKED, dump_register, parse_register


def main() -> None:
    page = Path("docs/ambiguities.md")
    if not page.is_file():
        sys.exit("docs/ambiguities.md is not here: run this in the root of a checkout")
    packed = Path(__file__).with_name(PACKED)
    packed.write_text(dump_register(parse_register(page.read_text(encoding="utf-8"))), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
