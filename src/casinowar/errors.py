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


class CasinoWarError(Exception):
    """The base of what this library refuses; a wrong argument is Python's own `TypeError` or `ValueError`.

    >>> import casinowar
    >>> try:
    ...     rules = casinowar.load_rulebook("monaco")
    ... except casinowar.CasinoWarError as error:
    ...     print(type(error).__name__)
    RulebookError
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
