"""A file system under SQLite that remembers what has not reached the disk, and the power that goes at any operation.

`Tape` is an `apsw.VFS`: all goes through to real files, and every operation that changes something is written down in
order. `Disk` plays such a tape up to an operation and says what the disk could hold once the power is back: whatever
was not synced is there, is not there, is torn at its sectors or is scrambled, each by the draw of a seeded chance.
Dropping any of the writes is the same as their coming in another order, since a later write covers an earlier one.

The shared memory of the write-ahead log goes with the power and is on no tape.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import msgspec

if TYPE_CHECKING:
    from typing_extensions import Buffer

SECTOR = 512
NEW_LOG = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_WAL
"""SQLite syncs the folder with the first sync of a file that it opened as one of these and might have made."""


class PowerGone(Exception):
    """Nothing reaches the disk any more."""


class Named(msgspec.Struct, frozen=True):
    """A file was made; or, with no file, its name was taken away, and the folder synced if SQLite asked for that."""

    name: str
    file: int | None
    is_synced: bool = False


class Written(msgspec.Struct, frozen=True):
    file: int
    offset: int
    data: bytes


class Truncated(msgspec.Struct, frozen=True):
    file: int
    size: int


class Synced(msgspec.Struct, frozen=True):
    """Everything written to the file before is on the disk; with the folder, every name in it too."""

    file: int
    with_folder: bool


Operation = Named | Written | Truncated | Synced
Fault = Callable[[str, str], None]
"""Asked before each operation with its kind and the file's name; what it raises is what SQLite is told."""


class Tape(apsw.VFS):
    """The operations of a run. With `lies`, syncs are answered and do nothing, as some disks have done."""

    def __init__(self, name: str, *, lies: bool = False) -> None:
        super().__init__(name, "")
        self.name = name
        self.lies = lies
        self.operations: list[Operation] = []
        self.acknowledged: list[tuple[int, int]] = []
        self.fault: Fault | None = None
        self._files: dict[str, int] = {}
        self._made = 0

    def acknowledge(self, number: int) -> None:
        """The command was acknowledged here, after so many operations."""
        self.acknowledged.append((len(self.operations), number))

    def meet(self, kind: str, name: str) -> None:
        if self.fault is not None:
            self.fault(kind, name)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if name is None:
            return super().xOpen(name, flags)
        short = Path(name.filename() if isinstance(name, apsw.URIFilename) else name).name
        self.meet("open", short)
        file = TapedFile(self, short, name, flags)
        if short not in self._files:
            self._made += 1
            self._files[short] = self._made
            self.operations.append(Named(short, self._made))
        file.number = self._files[short]
        return file

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        short = Path(filename).name
        self.meet("delete", short)
        super().xDelete(filename, syncdir)
        self._files.pop(short, None)
        self.operations.append(Named(short, None, syncdir))


class TapedFile(apsw.VFSFile):
    """A file on the tape. Real syncs are left out: this machine keeps its power, and the tape knows better."""

    number: int

    def __init__(self, tape: Tape, short: str, name: str | apsw.URIFilename, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.tape = tape
        self.short = short
        self.is_new = bool(flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & NEW_LOG)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self.tape.meet("read", self.short)
        return super().xRead(amount, offset)

    def xWrite(self, data: "Buffer", offset: int) -> None:  # noqa: N802
        self.tape.meet("write", self.short)
        super().xWrite(data, offset)
        self.tape.operations.append(Written(self.number, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self.tape.meet("truncate", self.short)
        super().xTruncate(newsize)
        self.tape.operations.append(Truncated(self.number, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.tape.meet("sync", self.short)
        if not self.tape.lies:
            self.tape.operations.append(Synced(self.number, self.is_new))
        self.is_new = False


class Disk:
    """What is on the disk for certain, and what is on its way. A sync counts once the next operation begins."""

    def __init__(self) -> None:
        self.kept: dict[int, bytearray] = {}
        self.names: dict[str, int] = {}
        self.waiting: dict[int, list[Written | Truncated]] = {}
        self.naming: list[Named] = []
        self.under_way: Operation | None = None

    def take(self, operation: Operation) -> None:
        """The operation before is complete, and this one begins."""
        self.settle()
        self.under_way = operation
        match operation:
            case Written(file=file) | Truncated(file=file):
                self.waiting[file].append(operation)
            case Named(file=file):
                self.naming.append(operation)
                if file is not None:
                    self.kept[file], self.waiting[file] = bytearray(), []

    def settle(self) -> None:
        match self.under_way:
            case Synced(file=file, with_folder=with_folder):
                for one in self.waiting[file]:
                    _apply(self.kept[file], one)
                self.waiting[file] = []
                self._settle_names(with_folder)
            case Named(is_synced=is_synced):
                self._settle_names(is_synced)
        self.under_way = None

    def _settle_names(self, is_synced: bool) -> None:
        if is_synced:
            for one in self.naming:
                _name(self.names, one)
            self.naming = []

    def left(self, chance: random.Random) -> dict[str, bytes]:
        """The files that could be found, by name. Of the changes of one name the first so many have happened."""
        names = dict(self.names)
        for name in dict.fromkeys(one.name for one in self.naming):
            changes = [one for one in self.naming if one.name == name]
            for one in changes[: chance.randint(0, len(changes))]:
                _name(names, one)
        likely = chance.choice((0.0, 0.5, 0.9, 1.0))
        return {name: bytes(self._content(file, likely, chance)) for name, file in sorted(names.items())}

    def _content(self, file: int, likely: float, chance: random.Random) -> bytearray:
        content = bytearray(self.kept[file])
        for one in self.waiting[file]:
            if chance.random() < likely:
                _apply(content, one)
            elif isinstance(one, Written):
                fate = chance.choice(("dropped", "torn", "scrambled"))
                for sector in [] if fate == "dropped" else list(_sectors(one)):
                    if chance.random() < 0.5:
                        _apply(content, sector)
                    elif fate == "scrambled":
                        noise = chance.randbytes(len(sector.data))
                        _apply(content, Written(file, sector.offset, noise))
        return content


def _name(names: dict[str, int], change: Named) -> None:
    if change.file is None:
        names.pop(change.name, None)
    else:
        names[change.name] = change.file


def _apply(content: bytearray, change: Written | Truncated) -> None:
    """Past the end a file is filled with zeros."""
    if isinstance(change, Truncated):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
        return
    content.extend(bytes(max(0, change.offset - len(content))))
    content[change.offset : change.offset + len(change.data)] = change.data


def _sectors(write: Written) -> Iterator[Written]:
    at, end = write.offset, write.offset + len(write.data)
    while at < end:
        until = min(end, (at // SECTOR + 1) * SECTOR)
        yield Written(write.file, at, write.data[at - write.offset : until - write.offset])
        at = until


class Cut(msgspec.Struct, frozen=True):
    """What a power cut at an operation left behind, and what had been acknowledged before it."""

    operation: int
    seed: int
    files: dict[str, bytes]
    acknowledged: frozenset[int]

    def lay_down(self, folder: Path) -> None:
        """The files in a folder that holds nothing else, as a computer finds them that comes up again."""
        for found in folder.iterdir():
            found.unlink()
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


def points(operations: int, count: int) -> list[tuple[int, int]]:
    """So many different pairs of operation and seed, spread over all operations and the moment behind the last."""
    order = random.Random(operations).sample(range(1, operations + 2), operations + 1)
    return sorted((order[at % len(order)], at // len(order)) for at in range(count))


def cuts(tape: Tape, where: list[tuple[int, int]]) -> Iterator[Cut]:
    """The cuts at these points, in order. The operation at which the power goes has begun and is not complete."""
    disk, begun = Disk(), 0
    for operation, seed in sorted(where):
        for one in tape.operations[begun:operation]:
            disk.take(one)
        begun = operation
        if operation > len(tape.operations):
            disk.settle()
        acknowledged = frozenset(number for after, number in tape.acknowledged if after < operation)
        yield Cut(operation, seed, disk.left(random.Random(f"{operation} {seed}")), acknowledged)
