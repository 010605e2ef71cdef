"""The gateway by itself: whatever happens to servers, each command gets to whoever decides its table."""

import random
from collections import deque

import msgspec
import pytest

from casinowar import protocol as f
from casinowar.house.seat_quota import Holdings, Whereabouts
from casinowar.house.table_share import ORPHANED_MS, Orphans, to_give, to_take
from casinowar.store.servers import ServerLine, Sight
from casinowar.web.peers.gateway import MOST_UNDER_WAY, Gateway, Passage
from casinowar.web.peers.messages import (
    EndClient,
    Enter,
    Leave,
    Line,
    Message,
    MessageParser,
    Say,
    SendBack,
    Tell,
    dump_message,
)

HERE, THERE, OTHER = 1, 2, 3
frames = msgspec.json.Decoder(f.ClientFrame)


class Person:
    """A client of this server."""

    name, login_key, address = "ana", "k" * 64, "127.0.0.1"

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self.ended: str | None = None

    def put(self, frame: bytes) -> None:
        self.told.append(frame)

    def end(self, code: str) -> None:
        self.ended = code


class Wire:
    """A line to another server, of which everything that was sent is kept."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    def send(self, message: Message) -> None:
        self.sent.append(message)

    def frames(self) -> list[f.ClientFrame]:
        return [frames.decode(one.text) for one in self.sent if isinstance(one, Say)]


class World:
    """Servers with their tables, of which this one is `HERE`."""

    me = HERE

    def __init__(self, kind: type[Gateway] = Gateway) -> None:
        self.owners: dict[str, int | None] = {"t": THERE, "u": OTHER}
        self.lines: dict[int, Wire] = {THERE: Wire(), OTHER: Wire()}
        self.is_blind = False
        self.taken_here: list[f.ClientFrame] = []
        self.person = Person()
        self.gateway = kind(self, self.reach)

    def owner(self, table: str) -> int | None:
        """The owner as it is seen from here; while the database is away nobody is seen but this server."""
        owner = self.owners.get(table)
        return None if self.is_blind and owner != HERE else owner

    def is_open(self, table: str) -> bool:
        return table in self.owners

    def peers(self) -> list[int]:
        return list(self.lines)

    def reach(self, number: int) -> Line | None:
        return self.lines.get(number)

    def say(self, frame: f.Watch | f.Command) -> None:
        self.gateway.pass_on(self.person, frame, self.taken_here.append)

    def lose(self, number: int) -> None:
        """A server ends; its tables are nobody's."""
        self.lines.pop(number)
        self.gateway.lose(number)
        self.owners = {table: None if owner == number else owner for table, owner in self.owners.items()}
        self.gateway.look()

    def take(self, table: str, number: int | None) -> None:
        self.owners[table] = number
        self.gateway.look()


def bet(id: str, table: str = "t") -> f.Command:
    return f.Command(id=id, table=table, expected=1, command=msgspec.Raw(b'{"do":"leave"}'))


def done(id: str, table: str = "t") -> bytes:
    return msgspec.json.encode(f.Done(id, table, 2))


def test_frames_go_to_whoever_decides_the_table_and_answers_come_back_as_they_are() -> None:
    world = World()
    world.say(f.Watch(table="t"))
    world.say(bet("a"))
    world.say(bet("b", "u"))
    there = world.lines[THERE]
    assert there.sent[0] == Enter(1, "ana", "k" * 64, "127.0.0.1")
    assert there.frames() == [f.Watch(table="t"), bet("a")]
    assert world.lines[OTHER].frames() == [bet("b", "u")]
    world.gateway.hear(THERE, Tell(1, [done("a"), b'{"type":"events","table":"t"}']))
    assert world.person.told == [done("a"), b'{"type":"events","table":"t"}']
    assert world.gateway.waiting == 1


def survived(kind: type[Gateway] = Gateway) -> list[f.ClientFrame]:
    """What a new owner is sent after the old one has died in the middle of a command."""
    world = World(kind)
    world.say(f.Watch(table="t"))
    world.say(bet("a"))
    world.say(bet("b"))
    world.gateway.hear(THERE, Tell(1, [done("a")]))
    world.lose(THERE)
    world.say(bet("c"))
    assert world.gateway.has_unplaced
    world.take("t", OTHER)
    return world.lines[OTHER].frames()


def test_what_is_not_answered_goes_to_the_next_owner_the_snapshot_first() -> None:
    assert survived() == [f.Watch(table="t"), bet("b"), bet("c")]


def test_a_gateway_that_forgets_what_was_under_way_is_found() -> None:
    class Forgetful(Gateway):
        def lose(self, number: int) -> None:
            for passage in self._passages.values():
                passage.under_way.clear()
            super().lose(number)

    assert bet("b") not in survived(Forgetful)


def test_what_comes_back_waits_for_the_new_owner() -> None:
    world = World()
    world.say(bet("a"))
    world.gateway.hear(THERE, SendBack(1, msgspec.json.encode(bet("a"))))
    assert world.gateway.has_unplaced
    world.take("t", OTHER)
    assert world.lines[OTHER].frames() == [bet("a")]


def happened(version: int) -> bytes:
    return b'{"type":"events","table":"t","version":%d}' % version


def test_no_news_are_left_out_while_nobody_is_known_to_decide_the_table() -> None:
    """The database had ended for a moment: a cut of the shoe was not told, and the cards behind it were, so that they
    did not lead to what had been published of it."""
    world = World()
    world.say(f.Watch(table="t"))
    world.gateway.hear(THERE, Tell(1, [happened(1)]))
    world.take("t", None)
    world.gateway.hear(THERE, Tell(1, [happened(2)]))
    world.take("t", THERE)
    world.gateway.hear(THERE, Tell(1, [happened(3)]))
    assert world.person.told == [happened(1), happened(2), happened(3)]
    world.take("t", None)
    world.take("t", OTHER)
    world.gateway.hear(THERE, Tell(1, [happened(4)]))
    assert len(world.person.told) == 3, "the next one shows the table by now"


def test_commands_for_a_table_that_nobody_decides_do_not_wait_without_end() -> None:
    world = World()
    world.owners["t"] = None
    for number in range(MOST_UNDER_WAY):
        assert not world.gateway.is_full(world.person)
        world.say(bet(f"c{number}"))
    assert world.gateway.is_full(world.person)
    world.take("t", OTHER)
    world.gateway.hear(OTHER, Tell(1, [done("c0")]))
    assert not world.gateway.is_full(world.person)


def test_a_table_that_comes_here_is_watched_here() -> None:
    world = World()
    world.say(f.Watch(table="t"))
    world.say(bet("a"))
    world.take("t", HERE)
    assert world.taken_here == [f.Watch(table="t"), bet("a")]
    world.gateway.look()
    assert len(world.taken_here) == 2
    assert not world.gateway.has_unplaced


def test_whoever_goes_is_forgotten_and_may_be_ended_by_the_other_server() -> None:
    world = World()
    world.say(f.Watch(table="t"))
    world.gateway.hear(THERE, EndClient(1, "logged_out"))
    assert world.person.ended == "logged_out"
    world.say(bet("a"))
    world.gateway.part(world.person)
    assert world.lines[THERE].sent[-1] == Leave(1)
    assert len(world.gateway) == 0
    world.gateway.hear(THERE, Tell(1, [done("a")]))
    assert world.person.told == []


def test_the_floor_is_watched_at_every_server_also_at_one_that_comes_later() -> None:
    world = World()
    world.gateway.watch_floor(world.person, world.taken_here.append)
    world.lines[4] = Wire()
    world.gateway.look()
    assert all(wire.frames() == [f.WatchFloor()] for wire in world.lines.values())


@pytest.mark.parametrize("seed", range(40))
def test_in_whatever_order_it_comes_every_command_is_answered_once(seed: int) -> None:
    """Servers die, come, and hand tables over at random; each answers an id as often as it is sent, by chance late."""
    chance, world = random.Random(seed), World()
    asked, heard, servers = list[str](), dict[int, int](), 3
    for _ in range(120):
        act = chance.choice(["say", "say", "answer", "answer", "lose", "take", "give", "come"])
        if act == "say":
            asked.append(f"c{len(asked)}")
            world.say(bet(asked[-1], chance.choice("tu")))
        elif act == "answer":
            _answer(world, chance, heard)
        elif act == "lose" and len(world.lines) > 1:
            world.lose(chance.choice(list(world.lines)))
        elif act == "come":
            servers += 1
            world.lines[servers] = Wire()
        elif act == "take":
            for table in [table for table, owner in world.owners.items() if owner is None]:
                world.take(table, chance.choice([HERE, *world.lines]))
        elif act == "give":
            world.take(chance.choice("tu"), chance.choice([HERE, *world.lines]))
    for table in "tu":
        world.take(table, HERE)
    here = [one.id for one in world.taken_here if isinstance(one, f.Command)]
    told = [msgspec.json.decode(one)["id"] for one in world.person.told]
    assert set(asked) <= {*here, *told}
    assert world.gateway.waiting == 0


def _answer(world: World, chance: random.Random, heard: dict[int, int]) -> None:
    """One server answers all that it has been sent since it was heard last."""
    number = chance.choice(list(world.lines))
    sent = world.lines[number].frames()
    for frame in sent[heard.get(number, 0) :]:
        if isinstance(frame, f.Command):
            world.gateway.hear(number, Tell(1, [done(frame.id, frame.table)]))
    heard[number] = len(sent)


class Host(Wire):
    """Another server: what it is sent and what it says are on their way for a while, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = 0
        self.says: deque[Tell | SendBack] = deque()
        self.watching: set[int] = set()

    def tell(self, kind: str, version: int) -> None:
        for client in sorted(self.watching):
            self.says.append(Tell(client, [news(kind, version)]))


def news(kind: str, version: int) -> bytes:
    return b'{"type":"%s","table":"t","version":%d}' % (kind.encode(), version)


class Story:
    """A table that goes from server to server while everything between them is late, and somebody who watches it."""

    def __init__(self, kind: type[Gateway]) -> None:
        self.world, self.version, self.is_watched_here = World(kind), 1, False
        self.hosts: dict[int, Host] = {THERE: Host(), OTHER: Host()}
        self.world.lines = dict(self.hosts)
        self.world.say(f.Watch(table="t"))

    @property
    def told(self) -> list[int]:
        return [msgspec.json.decode(one)["version"] for one in self.world.person.told]

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Where news do not follow what was told before them."""
        kinds = [msgspec.json.decode(one)["type"] for one in self.world.person.told]
        pairs = zip(self.told, self.told[1:], kinds[1:], strict=False)
        return [(before, version) for before, version, kind in pairs if kind == "events" and version > before + 1]

    def play(self) -> None:
        self.version += 1
        owner = self.world.owners["t"]
        if owner == HERE and self.is_watched_here:
            self.world.person.put(news("events", self.version))
        elif owner in self.hosts:
            self.hosts[owner].tell("events", self.version)

    def move(self, number: int) -> None:
        """Hand the table over, as `Peers` does."""
        before, self.world.owners["t"] = self.world.owners["t"], number
        if before in self.hosts and before != number:
            host = self.hosts[before]
            watch = msgspec.json.encode(f.Watch(table="t"))
            host.says.extend(SendBack(client, watch) for client in sorted(host.watching))
            host.watching.clear()
        elif before == HERE != number and self.is_watched_here:
            self.is_watched_here = False
            self.world.say(f.Watch(table="t"))
        if number == HERE:
            self.world.gateway.note_here("t")
        self.look()

    def look(self) -> None:
        self.world.gateway.look()
        if self.world.taken_here:
            self.world.taken_here.clear()
            self.is_watched_here = True
            self.world.person.put(news("snapshot", self.version))

    def hear(self, number: int) -> None:
        """Have a server take the next thing that it was sent."""
        host = self.hosts[number]
        if host.heard == len(host.sent):
            return
        message = host.sent[host.heard]
        host.heard += 1
        if isinstance(message, Leave):
            host.watching.discard(message.client)
        elif isinstance(message, Say) and self.world.owners["t"] == number:
            host.watching.add(message.client)
            host.says.append(Tell(message.client, [news("snapshot", self.version)]))
        elif isinstance(message, Say):
            host.says.append(SendBack(message.client, message.text))

    def arrive(self, number: int) -> None:
        """Bring here the next thing that a server has said."""
        if self.hosts[number].says:
            self.world.gateway.hear(number, self.hosts[number].says.popleft())

    def end(self) -> None:
        """Let all of it arrive."""
        self.world.is_blind = False
        self.look()
        while any(host.says or host.heard < len(host.sent) for host in self.hosts.values()):
            for number in self.hosts:
                self.hear(number)
                self.arrive(number)
            self.look()


def shown(seed: int, kind: type[Gateway] = Gateway) -> Story:
    """A story by this seed, at its end."""
    chance, story = random.Random(seed), Story(kind)
    for _ in range(150):
        match chance.randrange(10):
            case 0:
                story.move(chance.choice((HERE, THERE, OTHER)))
            case 1 | 2:
                story.play()
            case 3 | 4 | 5:
                story.hear(chance.choice((THERE, OTHER)))
            case 6:
                story.world.is_blind = not story.world.is_blind
            case _:
                story.arrive(chance.choice((THERE, OTHER)))
        story.look()
    story.end()
    return story


@pytest.mark.parametrize("seed", range(100))
def test_a_table_that_comes_back_to_a_server_is_never_shown_as_it_was_before_and_nothing_is_left_out(seed: int) -> None:
    story = shown(seed)
    assert story.told == sorted(story.told)
    assert story.told[-1] == story.version
    assert story.gaps == []


def test_a_gateway_that_takes_a_servers_old_words_for_new_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Passage, "note_place", lambda *_: None)
    assert any(story.told != sorted(story.told) for story in map(shown, range(40)))


def test_a_gateway_that_leaves_out_news_while_it_sees_nobody_is_found() -> None:
    class Forgetful(Gateway):
        def _is_late(self, passage: Passage, frame: bytes, number: int) -> bool:
            return self._placed.get("t") != number

    assert any(shown(seed, Forgetful).gaps for seed in range(100))


def test_whoever_comes_to_a_server_anew_has_all_that_was_open_there() -> None:
    world = World()
    world.owners["v"] = THERE
    for table in "tv":
        world.say(f.Watch(table=table))
    world.say(bet("a", "v"))
    world.take("t", OTHER)
    before = len(world.lines[THERE].sent)
    world.take("t", THERE)
    there = world.lines[THERE].sent[before:]
    assert there[0] == Enter(2, "ana", "k" * 64, "127.0.0.1")
    assert [frames.decode(one.text) for one in there if isinstance(one, Say)] == [
        f.Watch(table="t"), f.Watch(table="v"), bet("a", "v"),
    ]  # fmt: skip
    assert there[-1] == Leave(1)
    world.gateway.hear(THERE, Tell(1, [done("a", "v")]))
    assert world.gateway.waiting == 1, "what was said to the former number counts no more"
    world.gateway.hear(THERE, Tell(2, [done("a", "v")]))
    assert world.gateway.waiting == 0
    world.gateway.part(world.person)
    assert world.lines[THERE].sent[-1] == Leave(2)
    assert world.lines[OTHER].sent[-1] == Leave(1)
    assert not world.gateway._passages


def test_words_from_before_a_table_was_watched_elsewhere_are_old_also_where_others_had_it_moved() -> None:
    world, other = World(), Person()
    world.say(f.Watch(table="t"))
    world.gateway.pass_on(other, f.Watch(table="t"), world.taken_here.append)
    world.gateway.unwatch(world.person, "t")
    world.take("t", OTHER)
    world.say(f.Watch(table="t"))
    world.gateway.hear(OTHER, Tell(1, [news("snapshot", 6)]))
    world.take("t", THERE)
    world.gateway.hear(THERE, Tell(1, [news("events", 5)]))
    assert world.person.told == [news("snapshot", 6)]


def test_who_turns_away_while_nobody_decides_a_table_is_not_there_when_its_server_does_again() -> None:
    world = World()
    world.say(f.Watch(table="t"))
    world.take("t", None)
    world.gateway.unwatch(world.person, "t")
    world.take("t", THERE)
    assert world.lines[THERE].frames() == [f.Watch(table="t"), f.Unwatch(table="t")]


def test_who_watches_again_and_again_costs_the_other_server_one_frame_each_time() -> None:
    world = World()
    world.owners |= {f"v{number}": THERE for number in range(50)}
    for table in ("t", *(f"v{number}" for number in range(50))):
        world.say(f.Watch(table=table))
    before = len(world.lines[THERE].sent)
    for _ in range(20):
        world.say(f.Watch(table="t"))
        world.gateway.unwatch(world.person, "t")
    assert len(world.lines[THERE].sent) - before == 40


def test_messages_come_whole_however_they_are_cut() -> None:
    sent: list[Message] = [Enter(7, "ana", "k", "::1"), Say(7, b"x" * 1000), Tell(7, [b"a", b"b"]), Leave(7)]
    stream = b"".join(map(dump_message, sent))
    for step in (1, 3, 1000, len(stream)):
        parser = MessageParser()
        found = [one for at in range(0, len(stream), step) for one in parser.feed(stream[at : at + step])]
        assert found == sent
    with pytest.raises(ValueError, match="too long"):
        list(MessageParser().feed(b"\xff\xff\xff\xff"))


def sight(owners: dict[str, int], *servers: int, leaving: int = 0) -> Sight:
    return Sight(tuple(ServerLine(one, "", "", one == leaving) for one in servers), owners)


def test_free_tables_are_spread_evenly_and_every_server_works_out_the_same() -> None:
    streams = [f"t{number}" for number in range(7)]
    seen = sight({"t0": 1, "t1": 1, "t2": 9}, 1, 2, 3)
    taken = {me: to_take(me, seen, streams) for me in (1, 2, 3)}
    assert sorted(stream for one in taken.values() for stream in one) == ["t2", "t3", "t4", "t5", "t6"]
    assert {me: len(one) for me, one in taken.items()} == {1: 1, 2: 2, 3: 2}


def test_who_has_too_many_gives_half_of_them_and_who_leaves_gives_all() -> None:
    streams = [f"t{number}" for number in range(5)]
    owners = dict.fromkeys(streams, 1)
    assert len(to_give(1, sight(owners, 1, 2), streams)) == 2
    assert to_give(1, sight(owners, 1), streams) == []
    assert to_give(1, sight(owners, 1, 2, leaving=1), streams) == streams
    assert to_give(1, sight(owners, 1, leaving=1), streams) == [], "nobody is there to take them"
    assert to_give(1, sight({**owners, "t4": 9}, 1, 2), streams) == [], "what is free comes first"
    assert to_take(1, sight({}, 1, 2, leaving=1), streams) == []


def test_what_nobody_takes_is_for_whoever_can_and_is_not_handed_back() -> None:
    """It falls to a server that cannot take it: one that hangs, or does not know its rules."""
    streams = ["t0", "t1", "t2", "t3"]
    seen, orphans = sight({"t0": 1, "t1": 1}, 1, 2), Orphans()
    assert orphans.find(seen, streams, 0) == []
    assert orphans.find(seen, streams, ORPHANED_MS - 1) == []
    assert orphans.find(seen, streams, ORPHANED_MS) == ["t2", "t3"]
    busy = sight({"t0": 1, "t1": 1, "t2": 2}, 1, 2)
    assert orphans.find(busy, streams, ORPHANED_MS) == [], "somebody is taking them one after the other"
    assert orphans.find(busy, streams, 2 * ORPHANED_MS) == ["t3"]
    owners = dict.fromkeys(streams, 1)
    assert to_give(1, sight(owners, 1, 2), streams, {"t3"}) == ["t1", "t2"]
    assert to_give(1, sight(owners, 1, 2), streams, set(streams)) == []
    assert to_give(1, sight(owners, 1, 2, leaving=1), streams, set(streams)) == streams


def test_what_is_empty_at_tables_of_others_is_not_kept() -> None:
    """Private tables come and go for as long as a house is open."""
    where = Whereabouts()
    for number in range(100):
        where.note(f"private-{number}", Holdings(owner="ana", seated=("ana",)))
        where.note(f"private-{number}", Holdings())
    assert not where._tables
    assert where.tables_of("ana") == []
