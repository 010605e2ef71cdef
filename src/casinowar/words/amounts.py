"""Amounts as people write them: money, gains and losses, and the limits of a table."""

from casinowar.engine.commands import Limit


def money_words(minor: int, digits: int, sign: str = "") -> str:
    """Minor units as whole ones, by the digits behind the point: of two, 2500 is 25 and 1250 is 12.50."""
    whole, rest = divmod(abs(minor), 10**digits)
    before = "−" if minor < 0 else "+" if sign and minor else ""
    return f"{before}{whole:,}" + (f".{rest:0{digits}d}" if rest else "")


def signed(amount: int) -> str:
    """A gain or a loss in minor units: `+1,000`."""
    return f"{amount:+,}" if amount else "0"


def limit_in_words(limit: Limit, digits: int = 0) -> str:
    """`5 to 100 in units of 5`."""
    top = f"to {money_words(limit.maximum, digits)}" if limit.maximum is not None else "or more"
    unit = f" in units of {money_words(limit.unit, digits)}" if limit.unit > 1 else ""
    return f"{money_words(limit.minimum, digits)} {top}{unit}"


def limit_for_player(limit: Limit) -> str:
    """`minimum 5, maximum 100, in steps of 5`."""
    maximum = "no maximum" if limit.maximum is None else f"maximum {limit.maximum}"
    steps = f", in steps of {limit.unit}" if limit.unit > 1 else ""
    return f"minimum {limit.minimum}, {maximum}{steps}"
