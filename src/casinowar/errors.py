"""The errors of this library: whoever catches `CasinoWarError` catches every one of them.

CasinoWarError
    AccountRefused (ValueError)
        AccountLocked
        MustWait
        NameRefused
        NameTaken
        NameUnknown
        PasswordRefused
        RequestRefused
    BookChanged
    CannotPlay (ValueError)
    CompositionError (ValueError)
    Doubt
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
        Overdrawn
        StoreFault
        StoreInUse
        StreamStopped
        VersionConflict
    StoreFailed
    TablesFileError (ValueError)
    UnreadableEvent
    Unsolvable (ValueError)
    WebError

In parentheses is the class of Python that an error is as well. Two kinds of errors are apart: those of the command
line, which end in a line for a person, and those of the two modules that import nothing of ours, `Malformed` of
`fairness/verify_shoe.py` and `DeviceMissing` of `sim/gpu.py`.
"""


class CasinoWarError(Exception):
    """The base of every error that this library raises on purpose."""


class Refused(CasinoWarError):
    """A command was refused, and nothing was done. `reason` is stable, `says` is a sentence for people.

    `clauses` are the rules behind the refusal; there are none where no clause of the book is needed for it.
    """

    def __init__(self, reason: str, says: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(f"{reason}: {says}")
        self.reason = reason
        self.says = says
        self.clauses = clauses
