"""Numbers for people: minus signs, percentages and thousands, each with as many digits as its column has."""

from fractions import Fraction

Number = int | float | Fraction


def decimal(value: Number, digits: int) -> str:
    """`−0.023301`, `1,234.50`."""
    text = f"{float(value):,.{digits}f}"
    return (text if float(text.replace(",", "")) else text.lstrip("-")).replace("-", "−")


def signed(value: Number, digits: int) -> str:
    """With a plus where it is a gain."""
    text = decimal(value, digits)
    return text if text.startswith("−") or not text.strip("0.,") else f"+{text}"


def percent(value: Number, digits: int) -> str:
    return f"{decimal(float(value) * 100, digits)} %"


def fraction(value: Fraction) -> str:
    return str(value).replace("-", "−")


def net(value: Fraction) -> str:
    """`+1`, `−1/2`, `0`."""
    return f"+{value}" if value > 0 else fraction(value)


def count(value: int) -> str:
    return f"{value:,}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
