"""The errors of this library: whoever catches `CasinoWarError` catches every one of these.

CasinoWarError
    AccountRefused (ValueError)
        AccountLocked
        AccountsBusy
        MustWait
        NameRefused
        NameTaken
        NameUnknown
        PasswordRefused
        RequestRefused
    ArgumentRefused (ValueError)
    BackupRefused (ValueError)
    BookChanged
    CannotPlay (ValueError)
    CompositionError (ValueError)
    CopyRefused (ValueError)
    Doubt
    Elsewhere
    Ended
    ExtraMissing (ModuleNotFoundError)
    MergeRefused (ValueError)
    NoProof
    NoStore
    PlanRefused (ValueError)
    RecordError (ValueError)
    Refused
        client.Refused
    RulebookError (ValueError)
    RunError (ValueError)
    SealRefused (ValueError)
    SettingRefused (ValueError)
    SettingsError (ValueError)
    StoreError
        CommandReused
        Imbalance
        LeaseLost
        Overdrawn
        StoreFault
        StoreInUse
        StreamStopped
        ValueRefused (ValueError)
        VersionConflict
    StoreFailed
        ConnectionLost
    TablesFileError (ValueError)
    UnreadableEvent
    Unsolvable (ValueError)
    WebError

In parentheses is the class of Python that an error is as well. An argument of the wrong kind or out of its range, a
mistake in the program that calls, is Python's own `TypeError` or `ValueError`. Two kinds of errors are apart: those of
the command line, which end in a line for a person, and those of the two modules that import nothing of ours,
`Malformed` of `fairness/verify_shoe.py` and `DeviceMissing` of `sim/gpu.py`.
"""

from collections.abc import Iterable


class CasinoWarError(Exception):
    """The base of what this library refuses; a wrong argument is Python's own `TypeError` or `ValueError`.

    >>> import casinowar
    >>> try:
    ...     rules = casinowar.load_rulebook("monaco")
    ... except casinowar.CasinoWarError as error:
    ...     print(type(error).__name__)
    RulebookError
    """


class ArgumentRefused(CasinoWarError, ValueError):
    """What a program gave has the right kind, and no meaning: an unknown word, or a number out of bounds.

    >>> import casinowar
    >>> try:
    ...     casinowar.strategies.flat(500, "fold")
    ... except casinowar.CasinoWarError as error:
    ...     print(error)
    on_tie = 'fold': it is one of war, surrender
    """


class Refused(CasinoWarError):
    """A command was refused, and nothing was done. `reason` is stable, `says` is a sentence for people.

    `clauses` are the rules behind the refusal; there are none where no clause of the book is needed for it.

    >>> import casinowar
    >>> session = casinowar.Session("nz", seed="dawn", players={"ana": 100})
    >>> try:
    ...     events = session.must(session.view("ana").bet(101))
    ... except casinowar.Refused as refused:
    ...     print(refused.reason)
    insufficient_funds
    """

    def __init__(self, reason: str, says: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(f"{reason}: {says}")
        self.reason = reason
        self.says = says
        self.clauses = clauses


def require_whole(**amounts: int) -> None:
    """Money is a whole number: at a public boundary a TypeError names what is none. A truth value is none either.

    >>> require_whole(stake=500)
    >>> require_whole(stake=2.5)
    Traceback (most recent call last):
        ...
    TypeError: stake is an int in the smallest unit, and not 2.5
    """
    for what, amount in amounts.items():
        if type(amount) is not int:
            raise TypeError(f"{what} is an int in the smallest unit, and not {amount!r}")


def require_count(least: int, most: int | None = None, **given: int) -> None:
    """How many there are is a whole number within bounds, or an `ArgumentRefused` that tells them.

    >>> require_count(1, rounds=1_000)
    """
    bounds = f"{least:,} or more" if most is None else f"from {least:,} to {most:,}"
    for what, count in given.items():
        if type(count) is not int or count < least or (most is not None and count > most):
            raise ArgumentRefused(f"{what} = {count!r}: it is a whole number, {bounds}")


def require_word(known: Iterable[str], **given: str) -> None:
    """A word is one of those that are known, or an `ArgumentRefused` that tells them.

    >>> require_word(("war", "surrender"), on_tie="war")
    """
    words = tuple(known)
    for what, word in given.items():
        if word not in words:
            raise ArgumentRefused(f"{what} = {word!r}: it is one of {', '.join(words)}")
