"""Every operation of the HTTP API against a real server on loopback, with what its documentation promises."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from casinowar.engine.events import PlayerSeated
from casinowar.fairness import check_shoe, load_shoe
from casinowar.house.settings import HouseSettings
from casinowar.store.checkpoints import is_signed, load_checkpoint
from casinowar.web.accounts.names import NAME
from casinowar.web.app import OPERATIONS
from casinowar.web.docs.openapi import document
from casinowar.web.http.errors import FORMS, safe_words
from tests.support.commandline import run
from tests.support.live_server import HOUSE, Caller, LiveServer, fresh_id, running


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with running(tmp_path_factory.mktemp("house")) as live:
        yield live


@pytest.fixture(scope="module")
def guest(live: LiveServer) -> Caller:
    return Caller(live).guest()


@pytest.fixture(scope="module")
def operator(live: LiveServer) -> Caller:
    return live.staff("olga", "operator")


@pytest.fixture(scope="module")
def played(live: LiveServer) -> Caller:
    """A guest who has played a round at the table nz to its end."""
    caller = Caller(live).guest()
    play_round(caller, "nz")
    return caller


def play_round(caller: Caller, table: str) -> None:
    """Sit, bet when the shoe is ready, surrender to a tie, and wait until the round is over."""
    live = caller.live

    def rounds() -> int:
        return live.call(lambda: live.server.house.tables[table].rounds_done)

    before, box = rounds(), 3
    with_socket = caller.socket()
    with_socket.watch(table)
    assert caller.command(table, {"do": "sit", "box": box}).status == 200
    wager = {"do": "place_wager", "player": caller.name, "box": box, "wager": "initial", "amount": 500}
    until = time.monotonic() + 20
    while caller.command(table, wager).status != 200:
        assert time.monotonic() < until
        time.sleep(0.05)
    while rounds() == before:
        assert time.monotonic() < until
        caller.command(table, {"do": "surrender", "player": caller.name, "box": box})
        time.sleep(0.05)
    with_socket.close()


def test_a_guest_gets_a_cookie_that_no_script_reads_and_no_other_site_sends(live: LiveServer) -> None:
    answer = Caller(live).ask("POST", "/api/guest", {})
    assert answer.status == 200
    assert answer.json.keys() == {"player", "is_guest", "roles"}
    assert answer.json["player"].startswith("guest-")
    assert answer.json["is_guest"] is True
    name, *flags = answer.headers["Set-Cookie"].split("; ")
    assert name.startswith(f"casinowar_session_{live.port}="), "a house on another port has its own"
    assert len(name.partition("=")[2]) >= 43, "32 bytes are 43 characters of base64"
    assert {flag.lower() for flag in flags} >= {"httponly", "samesite=strict", "path=/"}
    assert "Secure" not in flags


def test_behind_tls_the_cookie_is_bound_to_host_and_tls(tmp_path: Path) -> None:
    with running(tmp_path, HouseSettings(tables=HOUSE.tables[:1]), is_behind_tls=True) as live:
        answer = Caller(live).ask("POST", "/api/guest", {})
        name, *flags = answer.headers["Set-Cookie"].split("; ")
        assert name.startswith("__Host-casinowar_session=")
        assert {"secure", "httponly", "path=/", "samesite=strict"} <= {flag.lower() for flag in flags}
        assert "max-age" in answer.headers["Strict-Transport-Security"]


def test_a_program_gets_a_token_instead_of_a_cookie_and_acts_with_it(live: LiveServer) -> None:
    caller = Caller(live)
    answer = caller.ask("POST", "/api/guest", {}, {"X-Casinowar-Client": "1"})
    assert "Set-Cookie" not in answer.headers
    bearer = {"Authorization": f"Bearer {answer.json['token']}"}
    assert caller.ask("GET", "/api/me", headers=bearer).json["is_guest"] is True
    assert caller.ask("GET", "/api/me", headers={"Authorization": "Bearer other"}).status == 401


@pytest.mark.parametrize("authorization", ["Basic x", "x", "Bearer"])
def test_the_token_behind_a_cookie_is_told_to_no_script(live: LiveServer, authorization: str) -> None:
    """The cookie is out of a script's reach, so that no answer may hold it, whatever headers a script adds."""
    caller = Caller(live).guest()
    assert caller.cookie is not None
    headers = {"X-Casinowar-Client": "1", "Authorization": authorization}
    answer = caller.ask("POST", "/api/guest", {}, headers)
    assert caller.cookie.partition("=")[2] not in answer.body.decode()
    assert caller.ask("GET", "/api/me").status == 200


def test_a_guest_who_comes_again_is_the_same_guest(live: LiveServer) -> None:
    caller = Caller(live).guest()
    assert caller.ask("POST", "/api/guest", {}).json["player"] == caller.name


def test_a_guest_begins_with_the_purse_of_the_house(live: LiveServer) -> None:
    me = Caller(live).guest().ask("GET", "/api/me").json
    assert me["purse"] == HOUSE.guest_purse == 100_000
    assert me["is_guest"] is True
    assert me["roles"] == []


def test_a_page_may_ask_whose_session_it_has_and_nobodys_is_no_error(live: LiveServer) -> None:
    caller = Caller(live)
    nobody = caller.ask("GET", "/api/session")
    assert (nobody.status, nobody.json) == (200, {"me": None})
    caller.guest()
    assert caller.ask("GET", "/api/session").json == {"me": caller.ask("GET", "/api/me").json}
    assert caller.ask("POST", "/api/logout", {}).status == 200
    caller.cookie = f"casinowar_session_{live.port}=gone"
    assert caller.ask("GET", "/api/session").json == {"me": None}


def test_register_logout_login(live: LiveServer) -> None:
    caller = Caller(live)
    login = {"name": "berta", "password": "seven pale horses"}
    assert caller.ask("POST", "/api/register", login).json == {"player": "berta", "is_guest": False, "roles": []}
    assert caller.ask("GET", "/api/me").json["purse"] == HOUSE.guest_purse
    first = caller.cookie
    assert caller.ask("POST", "/api/login", login).status == 200
    assert caller.cookie != first
    assert caller.ask("GET", "/api/me", headers={"Cookie": str(first)}).status == 401, "the old session has ended"
    cookie = str(caller.cookie)
    assert caller.ask("POST", "/api/logout", {}).status == 200
    assert caller.ask("GET", "/api/me", headers={"Cookie": cookie}).status == 401
    assert caller.ask("POST", "/api/register", login).json["code"] == "name_taken"


def test_a_wrong_password_and_an_unknown_name_are_told_alike(live: LiveServer) -> None:
    caller = Caller(live)
    caller.ask("POST", "/api/register", {"name": "carla", "password": "seven pale horses"})
    wrong = Caller(live).ask("POST", "/api/login", {"name": "carla", "password": "eight pale horses"})
    unknown = Caller(live).ask("POST", "/api/login", {"name": "nobody", "password": "eight pale horses"})
    assert (wrong.status, wrong.json["code"]) == (401, "wrong_login")
    assert wrong.body == unknown.body


@pytest.mark.parametrize(
    ("login", "code"),
    [
        ({"name": "dora", "password": "short"}, "password_refused"),
        ({"name": "bot-1", "password": "long enough"}, "name_refused"),
        ({"name": "dora", "password": "long enough", "role": "operator"}, "invalid"),
        ({"name": "dora"}, "invalid"),
    ],
)
def test_what_cannot_be_registered(live: LiveServer, login: dict[str, str], code: str) -> None:
    answer = Caller(live).ask("POST", "/api/register", login)
    assert (answer.status, answer.json["code"]) == (422, code)


def test_errors_do_not_repeat_a_password(live: LiveServer) -> None:
    for body in ({"name": "ed", "password": {"secret-word": 1}}, {"name": "ed", "secret-word": "x"}):
        answer = Caller(live).ask("POST", "/api/login", body)
        assert answer.status == 422
        assert b"secret-word" not in answer.body


def test_own_limits_a_break_and_a_refill(live: LiveServer) -> None:
    caller = Caller(live).guest()
    limits = {"id": fresh_id(), "loss": 5_000, "minutes": 30}
    first = caller.ask("PUT", "/api/me/limits", limits)
    assert (first.status, first.json["type"]) == (200, "done")
    assert caller.ask("PUT", "/api/me/limits", limits).body == first.body
    refused = caller.ask("POST", "/api/me/refill", {"id": fresh_id()})
    assert (refused.status, refused.json["code"]) == (409, "purse_not_low")
    assert caller.ask("POST", "/api/me/break", {"id": fresh_id(), "minutes": 5}).status == 200
    sat = caller.command("nz", {"do": "sit", "box": 7})
    assert (sat.status, sat.json["code"]) == (409, "away_from_play")


def test_the_house_tells_its_money_and_key(live: LiveServer, guest: Caller) -> None:
    house = guest.ask("GET", "/api/house").json
    assert house["currency"] == "play money"
    assert house["minor_digits"] == 2
    assert house["guest_purse"] == 100_000
    assert house["strategies"] == ["war", "surrender", "tie", "bank"]
    assert guest.ask("GET", "/api/key").json == {"key": house["key"]}
    assert len(bytes.fromhex(house["key"])) == 32


def test_the_lobby_lists_the_tables(live: LiveServer) -> None:
    lobby = {line["name"]: line for line in Caller(live).ask("GET", "/api/tables").json}
    assert {"nz", "hand"} <= lobby.keys()
    assert lobby["nz"]["rulebook"] == "nz"


def test_staff_open_a_table_and_players_do_not(live: LiveServer, guest: Caller, operator: Caller) -> None:
    body = {"id": fresh_id(), "settings": {"name": "high", "rulebook": "wa"}, "reason": "Saturday"}
    assert guest.ask("POST", "/api/tables", body).status == 403
    done = operator.ask("POST", "/api/tables", body)
    assert (done.status, done.json["table"]) == (200, "high")
    assert operator.ask("POST", "/api/tables", body).body == done.body
    assert "high" in {line["name"] for line in guest.ask("GET", "/api/tables").json}


def test_no_file_of_the_server_is_opened_as_a_rulebook(live: LiveServer, guest: Caller, operator: Caller) -> None:
    for book in ("/etc/passwd", "../house.toml", "wa.toml"):
        private = guest.ask("POST", "/api/tables/private", {"id": fresh_id(), "rulebook": book, "bots": 0})
        settings = {"name": "x1", "rulebook": book}
        staff = operator.ask("POST", "/api/tables", {"id": fresh_id(), "settings": settings, "reason": "try it"})
        assert (private.json["code"], staff.json["code"]) == ("no_such_rulebook", "no_such_rulebook")


def test_a_private_table_with_bots_in_one_call(live: LiveServer, guest: Caller) -> None:
    body = {"id": fresh_id(), "rulebook": "nz", "bots": 3}
    done = guest.ask("POST", "/api/tables/private", body)
    assert done.status == 200, done
    assert guest.ask("POST", "/api/tables/private", body).body == done.body
    view = guest.ask("GET", f"/api/tables/{done.json['table']}").json
    assert len([seat for seat in view["seats"] if seat["strategy"]]) == 3


def test_a_view_is_for_the_role_that_looks(live: LiveServer, guest: Caller, operator: Caller) -> None:
    view = guest.ask("GET", "/api/tables/nz").json
    assert view["table"] == "nz"
    assert view["purse"] == 100_000
    assert view["view"]["balances"] is None, "others' money is for staff"
    assert guest.ask("GET", "/api/tables/nz?role=supervisor").status == 403
    assert operator.ask("GET", "/api/tables/nz?role=supervisor").json["view"]["balances"] is not None
    assert guest.ask("GET", "/api/tables/none").json["code"] == "no_such_table"
    assert Caller(live).ask("GET", "/api/tables/nz").status == 401


def test_a_command_is_done_once_whatever_is_repeated(live: LiveServer) -> None:
    caller = Caller(live).guest()

    def seated() -> list[int]:
        """Every seat that this player has ever taken; the table goes on by itself meanwhile."""
        house = live.server.house
        told = live.call(lambda: list(house.store.read(house.tables["nz"].stream)))
        events = [one.event for one in told if isinstance(one.event, PlayerSeated)]
        return [event.box for event in events if event.player == caller.name]

    body = {"id": fresh_id(), "expected": live.version("nz"), "command": {"do": "sit", "box": 5}}
    done = caller.ask("POST", "/api/tables/nz/commands", body)
    assert (done.status, done.json["type"]) == (200, "done")
    assert caller.ask("POST", "/api/tables/nz/commands", body).body == done.body
    other = caller.ask("POST", "/api/tables/nz/commands", {**body, "command": {"do": "sit", "box": 6}})
    assert (other.status, other.json["code"]) == (409, "id_reused")
    assert seated() == [5]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"command": {"do": "fly"}}, 422, "invalid"),
        ({"command": {"do": "sit", "box": "five"}}, 422, "invalid"),
        ({"command": {"do": "sit", "box": 5, "player": "olga"}}, 422, "invalid"),
        ({"command": {"do": "pause"}, "as": "supervisor", "reason": "because"}, 403, "not_allowed"),
        ({"command": {"do": "go_to_war", "player": "x", "box": 1}, "expected": 10**9}, 409, "unknown_version"),
        ({"expected": -1}, 422, "invalid"),
        ({"id": "has spaces"}, 422, "invalid"),
        ({"id": "ends\n"}, 422, "invalid"),
        ({"extra": 1}, 422, "invalid"),
    ],
)
def test_commands_that_are_refused_change_nothing(
    live: LiveServer, guest: Caller, change: dict[str, Any], status: int, code: str
) -> None:
    body = {"id": fresh_id(), "expected": 0, "command": {"do": "sit", "box": 5}, **change}
    version = live.version("hand")
    answer = guest.ask("POST", "/api/tables/hand/commands", body)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert live.version("hand") == version


LONG = "x" * 41


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        ("GET", "/api/odds?decks=8", None, "an unknown field decks: there are rulebook, set"),
        ("GET", "/api/differences?a=nz&b=wa", None, "an unknown field a: there are "),
        ("GET", "/api/me?x=1", None, "an unknown field x: there are none"),
        (
            "POST",
            "/api/login",
            {"name": "a", "password": "long enough", "pin": 1},
            "an unknown field: there are name, password",
        ),
        ("GET", f"/api/odds?{LONG}=1", None, f"an unknown field {LONG[:-1]}...: there are rulebook, set"),
        ("GET", "/api/odds?a%0Ab%E2%80%AE=1", None, "an unknown field a\\nb\\u202e: there are rulebook, set"),
        (
            "POST",
            "/api/tables/hand/commands",
            {"id": "1", "expected": 0, "command": {"do": "sit", "box": 5, "chair": 1}},
            "an unknown field",
        ),
        (
            "GET",
            "/api/clauses/x%00y",
            None,
            "expected letters, digits, points, dashes and underscores alone - at `$.clause`",
        ),
    ],
    ids=lambda one: one if isinstance(one, str) and one.startswith("/") else "",
)
def test_what_is_invalid_is_named(guest: Caller, method: str, path: str, body: Any, says: str) -> None:
    answer = guest.ask(method, path, body)
    assert (answer.status, answer.json["code"]) == (422, "invalid")
    assert answer.json["says"].startswith(says), answer.json["says"]


def test_every_form_of_text_that_is_taken_is_told_in_words() -> None:
    """The patterns themselves say nothing to people. That of names is refused otherwise, that of cards only told."""
    written = json.dumps(document(OPERATIONS))
    patterns = {json.loads(f'"{one}"') for one in re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', written)}
    told_alone = {f"^{NAME.pattern}$", "^[2-9TJQKA][cdhs]$"}
    assert told_alone < patterns
    for pattern in patterns - told_alone:
        words = safe_words(msgspec.ValidationError(f"Expected `str` matching regex {pattern!r} - at `$.x`"))
        assert words.removesuffix(" - at `$.x`") in FORMS.values(), pattern


def test_a_round_is_listed_told_and_replayed_to_the_same_money(
    live: LiveServer, played: Caller, tmp_path: Path
) -> None:
    line = played.ask("GET", "/api/tables/nz/rounds?limit=1").json[0]
    assert [wager[:3] for wager in line["wagers"]] == [[3, "initial", played.name]]
    mine = played.ask("GET", "/api/me/rounds").json
    assert [one["table"] for one in mine] == ["nz"]
    assert mine[0]["round"]["number"] == line["number"]
    told = played.ask("GET", f"/api/tables/nz/rounds/{line['number']}").json
    names = [event["name"] for event in told["events"]]
    assert names.index("wager_placed") < names.index("card_dealt") < names.index("wager_settled")
    assert names[-1] == "round_ended"
    settled = next(event for event in told["events"] if event["name"] == "wager_settled")
    assert settled["clauses"]
    for form, kind in (("json", "application/json"), ("toml", "application/toml")):
        record = played.ask("GET", f"/api/tables/nz/rounds/{line['number']}/record?format={form}")
        assert record.headers["Content-Type"].startswith(kind)
        file = tmp_path / f"round.{form}"
        file.write_bytes(record.body)
        replayed = run("replay", str(file), "--json")
        assert replayed.status == 0, replayed.err
        assert json.dumps(settled["paid"]) in replayed.out
    assert played.ask("GET", "/api/tables/nz/rounds/999").json["code"] == "no_such_round"
    assert played.ask("GET", "/api/tables/nz/rounds/0").status == 422


def test_the_shoe_in_use_is_published_without_what_is_undealt(live: LiveServer, played: Caller) -> None:
    shoes = Caller(live).ask("GET", "/api/tables/nz/shoes").json
    assert shoes[-1]["fate"] == "running"
    answer = Caller(live).ask("GET", f"/api/tables/nz/shoes/{len(shoes)}")
    shoe = load_shoe(answer.body.decode())
    assert shoe.commitment == shoes[-1]["commitment"]
    assert shoe.seed is None
    assert check_shoe(shoe) == []
    assert Caller(live).ask("GET", "/api/tables/nz/shoes/999").json["code"] == "no_such_shoe"


def test_the_log_is_read_by_auditors_page_by_page(live: LiveServer, played: Caller) -> None:
    auditor = live.staff("anna", "auditor")
    assert played.ask("GET", "/api/tables/nz/log").status == 403
    page = auditor.ask("GET", "/api/tables/nz/log?after=3&limit=5").json
    assert [line["version"] for line in page] == [4, 5, 6, 7, 8]
    whole = auditor.ask("GET", "/api/tables/nz/log?limit=500").json
    for line in whole:
        assert sum(amount for _, amount in line["postings"]) == 0


def test_the_operator_funds_a_purse_and_staff_look_at_it(live: LiveServer, operator: Caller) -> None:
    player = Caller(live).guest()
    body = {"id": fresh_id(), "amount": 2_500, "reason": "a gift of the house"}
    assert player.ask("POST", f"/api/players/{player.name}/fund", body).status == 403
    assert operator.ask("POST", f"/api/players/{player.name}/fund", {**body, "reason": ""}).status == 422
    assert operator.ask("POST", f"/api/players/{player.name}/fund", body).status == 200
    assert operator.ask("POST", f"/api/players/{player.name}/fund", body).status == 200, "the same request again"
    assert operator.ask("GET", f"/api/players/{player.name}").json["purse"] == 102_500
    assert operator.ask("GET", "/api/players/nobody").json["code"] == "no_such_player"


def test_checkpoints_are_signed_by_the_key_of_the_house(live: LiveServer, played: Caller) -> None:
    live.call(live.server.house.checkpoint)
    caller = Caller(live)
    latest = caller.ask("GET", "/api/checkpoints/latest")
    assert is_signed(load_checkpoint(latest.body), caller.ask("GET", "/api/key").json["key"])
    numbers = [one["number"] for one in caller.ask("GET", "/api/checkpoints").json]
    assert numbers == sorted(numbers)
    assert latest.json["number"] == numbers[-1]
    assert caller.ask("GET", f"/api/checkpoints?after={numbers[-1]}").json == []


def test_rulebooks_are_told_leaf_by_leaf(live: LiveServer) -> None:
    caller = Caller(live)
    assert [one["id"] for one in caller.ask("GET", "/api/rulebooks").json] == ["nz", "wa", "ctg", "ca", "ma"]
    leaves = {leaf["key"]: leaf for leaf in caller.ask("GET", "/api/rulebooks/nz").json["leaves"]}
    assert leaves["war.burn"]["value"] == 3
    assert "NZ-8.8-ii" in leaves["war.burn"]["clauses"]
    assert caller.ask("GET", "/api/rulebooks/xx").json["code"] == "no_such_rulebook"


def test_health_readiness_and_metrics(live: LiveServer, played: Caller) -> None:
    caller = Caller(live)
    assert caller.ask("GET", "/healthz").json == {"state": "alive"}
    assert caller.ask("GET", "/readyz").json == {"state": "ready"}
    text = caller.ask("GET", "/metrics").body.decode()
    assert "casinowar_trial_balance 0.0" in text
    assert live.metric("casinowar_rounds_total") >= 1
    assert live.metric('casinowar_commands_total{kind="sit",outcome="done"}') >= 1
    assert live.metric("casinowar_commit_seconds_count") >= 1
    assert live.metric("casinowar_unopened_commitments") >= 1
    assert live.metric("casinowar_tables_stopped") == 0
    assert "guest-" not in text
    assert "olga" not in text


def test_a_server_out_of_service_is_not_ready_and_takes_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        caller = Caller(live).guest()
        live.call(lambda: setattr(live.server.house, "out_of_service", "the disk has failed"))
        assert caller.ask("GET", "/readyz").status == 503
        assert caller.ask("GET", "/healthz").status == 200
        answer = caller.command("nz", {"do": "sit", "box": 1})
        assert (answer.status, answer.json["code"]) == (503, "out_of_service")
        live.call(lambda: setattr(live.server.house, "out_of_service", None))


def test_the_documentation_is_a_page_that_loads_nothing(live: LiveServer) -> None:
    caller = Caller(live)
    document = caller.ask("GET", "/api/openapi.json").json
    page = caller.ask("GET", "/api/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "'sha256-" in page.headers["Content-Security-Policy"]
    for path in document["paths"]:
        assert path in page.body.decode()
    assert b"<script" not in page.body


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/", 200), ("GET", "/api/me", 401), ("GET", "/nowhere", 404), ("DELETE", "/api/me", 405)],
)
def test_every_answer_carries_the_headers_that_keep_a_browser_safe(
    live: LiveServer, method: str, path: str, status: int
) -> None:
    answer = Caller(live).ask(method, path)
    assert answer.status == status
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Server" not in answer.headers
    if status == 405:
        assert set(answer.headers["Allow"].replace(" ", "").split(",")) == {"GET", "HEAD"}


@pytest.mark.parametrize("name", ["NZ", "Nz", "hand.1", "nz.2", "guest-aaaaaa", "private-zz", "bot-1"])
def test_no_table_is_opened_under_a_name_that_passes_for_another(live: LiveServer, name: str) -> None:
    """Else the list of a table's shoes could begin anew, or hide that of an earlier opening."""
    operator = live.staff(f"namer{abs(hash(name)) % 10_000}x", "operator", "supervisor")
    body = {"id": fresh_id(), "settings": {"name": name, "rulebook": "nz"}, "reason": "busy night"}
    told = operator.ask("POST", "/api/tables", body)
    assert (told.status, told.json["code"]) == (409, "name_taken")


def test_who_watches_a_table_that_closes_and_opens_again_is_shown_the_new_one(live: LiveServer) -> None:
    operator = live.staff("reopener", "operator", "supervisor")
    body = {"id": fresh_id(), "settings": {"name": "again", "rulebook": "nz"}, "reason": "busy night"}
    assert operator.ask("POST", "/api/tables", body).status == 200
    looking = Caller(live).guest().socket()
    looking.watch("again")
    closed = operator.command("again", {"do": "close_table"}, **{"as": "operator", "reason": "quiet night"})
    assert closed.status == 200, closed.json
    while not looking.next_of("events")["view"].get("view", {}).get("is_closed"):
        pass
    assert operator.ask("POST", "/api/tables", {**body, "id": fresh_id()}).status == 200
    shown = looking.next_of("snapshot")["view"]
    assert (shown["view"]["is_closed"], shown["version"]) == (False, live.version("again"))
    assert live.call(lambda: len(live.server.house.tables["again"].present)) == 1
    looking.close()


def test_an_earlier_edition_is_asked_for_wherever_a_rulebook_is(live: LiveServer, guest: Caller) -> None:
    for name, edition in (("ca", 2), ("ca@2", 2), ("ca@1", 1)):
        told = guest.ask("GET", f"/api/rulebooks/{name}").json
        assert (told["id"], told["edition"], told["editions"]) == ("ca", edition, [1, 2])
        assert guest.ask("GET", f"/api/odds?rulebook={name}").json["edition"] == edition
    record = (
        '{"format": "casinowar-record/1", "rulebook": "nz@1", "shoe": "2c Kh 9s", "players": {"ana": 100}, "acts": []}'
    )
    assert guest.ask("POST", "/api/replay", {"record": record}).json["edition"] == 1
    for name in ("ca@9", "CA@1", "ca@"):
        assert guest.ask("GET", f"/api/rulebooks/{name}").json["code"] == "no_such_rulebook"
        assert guest.ask("GET", f"/api/odds?rulebook={name}").json["code"] == "no_such_rulebook"


def test_a_private_table_of_an_earlier_edition_says_so_on_its_sign(live: LiveServer) -> None:
    caller = Caller(live).guest()
    for name, edition in (("ca@1", 1), ("ca", 2)):
        done = caller.ask("POST", "/api/tables/private", {"id": fresh_id(), "rulebook": name, "bots": 2}).json
        signs = caller.ask("GET", f"/api/tables/{done['table']}").json["view"]["signs"]
        assert (signs["rulebook"], signs["edition"]) == ("ca", edition)
