"""`casinowar ruling`: every incident told from the leaves, as the sources have it, and as the engine does it."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

from casinowar.reports.rulings.effects import WORDS
from casinowar.reports.rulings.incidents import BY_SLUG, INCIDENTS
from casinowar.reports.rulings.rulings import RecordingAct, Ruling, rule_on, value_of
from casinowar.rulebooks import BOOKS, SILENT, load_clauses, load_rulebook
from casinowar.rulebooks.model import IrregularityRules
from casinowar.rulebooks.shelf import config_folder
from casinowar.rulebooks.vocabulary import KEYS
from tests.support.commandline import run, spawn
from tests.support.rounds import Act, act, bet, deal, play, war

SLUGS = [
    "face-up-card",
    "face-up-cards",
    "extra-draw-unexposed",
    "extra-draw-exposed",
    "wrong-burn",
    "misdelivered-card",
    "misdeal",
    "missed-hand",
    "missed-offer",
    "forgotten-burn",
    "missing-cut-card",
    "missed-shuffle",
    "exposed-before-shoe",
    "damaged-card",
    "too-few-cards",
    "shuffler-fault",
    "wager-below-minimum",
    "wager-above-maximum",
    "wager-off-unit",
    "contravention",
    "partnership",
    "exclusion",
    "invalidated-round",
    "void-hand",
    "void-round",
    "dispute",
]
SHUFFLERS = {
    "nz": ["manual", "batch_auto", "continuous"],
    "wa": ["manual", "continuous"],
    "ma": ["manual", "batch_auto"],
}
ANY = [(book, None) for book in BOOKS] + [(book, kind) for book, kinds in SHUFFLERS.items() for kind in kinds[1:]]


@cache
def told(book: str, slug: str, **options: object) -> Ruling:
    named = {key.replace("__", "."): value for key, value in options.items()}
    return rule_on(load_rulebook(book, named), BY_SLUG[slug])


def acts_of(ruling: Ruling) -> list[str]:
    return [one.do for one in ruling.acts]


def words(*args: str) -> str:
    """What a command prints, without its line breaks."""
    done = run("ruling", *args)
    assert (done.status, done.err) == (0, "")
    return " ".join(done.out.split())


class TestTheList:
    def test_every_incident_has_its_line(self) -> None:
        lines = run("ruling").out.splitlines()
        listed = {
            line.split()[0]: line.split(maxsplit=1)[1] for line in lines if line.startswith("  ") and line[2] != " "
        }
        assert sorted(listed) == sorted(SLUGS)
        assert all(len(line) > 10 for line in listed.values())

    def test_as_data(self) -> None:
        data = json.loads(run("ruling", "--json").out)
        assert [one["incident"] for one in data["incidents"]] == [one.slug for one in INCIDENTS]
        assert len({one["group"] for one in data["incidents"]}) == 6

    def test_with_a_rulebook_it_has_the_ruling_of_each(self) -> None:
        data = json.loads(run("ruling", "--rulebook", "ma", "--json").out)
        rulings = {one["incident"]: one["ruling"] for one in data["incidents"]}
        assert data["rulebook"] == "ma"
        assert rulings["missed-hand"].startswith("The hand is void")
        assert rulings["missed-hand"] in words("--rulebook", "ma")


class TestTheWords:
    """One table says every ruling, and it has words for all that a rulebook can say."""

    @staticmethod
    def values(key: str) -> set[str]:
        kind: Any = KEYS[key]
        if get_origin(kind) is Literal:
            return set(get_args(kind))
        return {"on", "off"} if kind is bool else {"some", "none"}

    def test_every_value_of_the_vocabulary_has_words(self) -> None:
        """All of `irreg`, and every other leaf that decides; of the shufflers only the one without an end does.

        Who voids is told of the book's table, also of an older book that has `irreg.void_by` instead.
        """
        topics = {topic for one in INCIDENTS for topic in one.topics}
        topics |= {topic for table in WORDS.values() for entry in table.values() for topic in entry.then}
        assert {f"irreg.{name}" for name in IrregularityRules.__struct_fields__} - {"irreg.void_by"} <= topics
        for topic in topics:
            assert set(WORDS[topic]) == self.values(topic.partition("/")[0]), topic
        assert set(WORDS) == topics | {"shoe.shuffler"}

    def test_no_two_values_of_a_leaf_are_told_alike(self) -> None:
        alike = {("irreg.contravention/exclusion", "refund", "forfeit")}
        waiting = {"pit_boss", "floor_ruling"}
        for topic, table in WORDS.items():
            for first in table:
                for second in table:
                    if first < second and {first, second} != waiting and (topic, second, first) not in alike:
                        assert table[first] != table[second], (topic, first, second)

    @pytest.mark.parametrize(("book", "shuffler"), ANY)
    @pytest.mark.parametrize("slug", SLUGS)
    def test_every_incident_is_told_whole_in_every_book(self, slug: str, book: str, shuffler: str | None) -> None:
        ruling = told(book, slug, **({"shoe__shuffler": shuffler} if shuffler else {}))
        is_impossible = "cannot happen" in ruling.ruling
        assert all((ruling.ruling, ruling.cards, ruling.open, ruling.settled, ruling.last_word))
        assert bool(ruling.acts) != is_impossible
        assert "{" not in ruling.ruling
        assert bool(ruling.clauses) != ruling.silent
        assert set(ruling.clauses.values()) | set(ruling.see.values()) <= {
            clause.text for clause in load_clauses().values()
        }

    @pytest.mark.parametrize("width", [80, 60])
    @pytest.mark.parametrize("slug", ["", *SLUGS])
    def test_lines_fit(self, slug: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", str(width))
        asked = [slug] if slug else []
        for args in ([], ["--rulebook", "ctg"], ["--rulebook", "nz"]):
            out = run("ruling", *args, *asked).out
            assert max(map(len, out.splitlines())) <= width, out

    def test_no_colour(self) -> None:
        done = spawn("ruling", "dispute", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"})
        assert done.status == 0
        assert "\x1b" not in done.out


class TestOneRuling:
    def test_it_tells_everything(self) -> None:
        out = words("--rulebook", "ma", "face-up-cards")
        assert out.startswith("face-up-cards under ma (Massachusetts)")
        assert "all hands of the round are void, and the cards are shuffled again" in out
        assert f"MA-10b-ii: {load_clauses()['MA-10b-ii'].text}" in out
        assert (
            "Record report_face_up_card {by?} by dealer, floorperson, manager or licensee; no second signature" in out
        )
        assert "irreg.multi_face_up = void_all_reshuffle" in out
        assert "Elsewhere nz, wa: None of the cards is used" in out
        assert "ca: None of the cards is used" in out
        assert "The licensee has the last word." in out

    def test_others_that_do_the_same_are_named_together(self) -> None:
        out = words("--rulebook", "ma", "face-up-card")
        assert f"Elsewhere nz, wa, ctg: the same ca: the same [{SILENT}]" in out, "silence stands apart"
        [same, silent] = json.loads(run("ruling", "--rulebook", "ma", "face-up-card", "--json").out)["others"]
        assert (same["rulebooks"], same["silent"], same["clauses"]["wa"]) == (["nz", "wa", "ctg"], False, ["WA-5.1"])
        assert (silent["rulebooks"], silent["silent"], silent["clauses"]) == (["ca"], True, {"ca": []})

    def test_as_data(self) -> None:
        data = json.loads(run("ruling", "--rulebook", "ma", "missed-hand", "--json").out)
        assert (data["incident"], data["rulebook"]) == ("missed-hand", "ma")
        assert data["ruling"].startswith("The hand is void")
        assert data["wagers"]["open"].startswith("Those on the hand go back")
        assert {"id": "MA-10d", "text": load_clauses()["MA-10d"].text} in data["clauses"]
        assert data["acts"][0] == {
            "do": "report_missed_hand",
            "fields": ["box", "by?"],
            "roles": ["dealer", "supervisor", "manager", "operator"],
            "second": "none",
            "called": ["dealer", "floorperson", "manager", "licensee"],
        }
        assert [(one["rulebooks"], one["is_same"]) for one in data["others"]] == [
            (["nz"], False),
            (["wa"], False),
            (["ctg"], False),
            (["ca"], False),
        ]

    def test_the_choices_of_a_field_are_told(self) -> None:
        out = words("--rulebook", "ctg", "dispute")
        assert (
            "rule {action = void_hand | void_round | reconstruct | stand | reshuffle, reason, box?, by?, second?}"
            in out
        )
        assert "by Pit Boss, manager or operator; a second person signs a void once the dealer's card lies" in out

    def test_an_option_changes_it(self) -> None:
        before = words("--rulebook", "nz", "missed-offer")
        assert "count as not drawn" in before
        for flag in ("--set", "--option"):
            after = words("--rulebook", "nz", flag, "irreg.missed_offer=discard", "missed-offer")
            assert "Cards dealt meanwhile are out of play." in after
            assert "count as not drawn" not in after.partition("Elsewhere")[0]

    def test_the_shuffler_decides_what_its_fault_does(self) -> None:
        assert "The book has no rule" in told("nz", "shuffler-fault").ruling
        assert "the round is void, or the hands" in told("nz", "shuffler-fault", shoe__shuffler="continuous").ruling
        assert "shuffled again" in told("ma", "shuffler-fault", shoe__shuffler="batch_auto").ruling

    def test_a_house_rulebook_by_its_path(self, tmp_path: Path) -> None:
        file = tmp_path / "club.toml"
        file.write_text(
            'id = "club"\ntitle = "The club"\nversion = "1"\nextends = "nz"\n[irreg]\n'
            'face_up = { value = "use" }\nexposed_extra = { value = "use_if_needed_else_burn" }\n',
            encoding="utf-8",
        )
        out = words("--rulebook", str(file), "face-up-card")
        assert "The card is used as the next card." in out
        assert "HOUSE-irreg.face_up: club has use; nz has discard [NZ-9.1]; nz would not allow that" in out
        assert "nz, wa, ctg, ma: The card is not used" in out
        assert "The card is used as the next card." in words("--rulebook", str(file), "face-up-cards")

    def test_a_house_rulebook_by_its_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        file = config_folder() / "club.toml"
        file.parent.mkdir(parents=True)
        text = 'id = "club"\ntitle = "The club"\nversion = "1"\nextends = "ma"\n[irreg]\nrelease = { value = false }\n'
        file.write_text(text, encoding="utf-8")
        assert "The book does not speak of letting players out of the hand." in words(
            "--rulebook", "club", "misdelivered-card"
        )

    @pytest.mark.parametrize("slug", ["misdeal", "misdelivered-card"])
    def test_where_the_house_speaks_the_book_is_not_called_silent(self, slug: str, tmp_path: Path) -> None:
        file = tmp_path / "club.toml"
        head = 'id = "club"\ntitle = "The club"\nversion = "1"\nextends = "ca"\n'
        file.write_text(f'{head}[irreg]\nmisdealt = {{ value = "reconstruct_else_void" }}\n', encoding="utf-8")
        told = json.loads(run("ruling", "--rulebook", str(file), slug, "--json").out)
        assert not told["silent"]
        assert "HOUSE-irreg.misdealt" in [clause["id"] for clause in told["clauses"]]
        assert told["partly"] == ["irreg.void_scope", "authority.void_hand"]

    def test_a_book_that_is_silent_forbids_nothing(self, tmp_path: Path) -> None:
        file = tmp_path / "club.toml"
        head = 'id = "club"\ntitle = "The club"\nversion = "1"\nextends = "nz"\n'
        file.write_text(f'{head}[shoe]\nround_burn = 1\n[payout.tie]\non_win = "9:1"\n', encoding="utf-8")
        assert "nz would not allow 1 of them" in run("rules", "check", str(file)).out, "that is the odds"
        shown = " ".join(run("rules", "show", str(file)).out.split())
        assert f"club has 1; nz has 0 [{SILENT}]" in shown
        assert f"club has 1; nz has 0 [{SILENT}]; nz would not allow" not in shown

    def test_a_part_on_which_the_book_is_silent_is_named(self) -> None:
        """WA-5.2 and WA-5.3 speak of the round; between rounds the book is silent."""
        told = json.loads(run("ruling", "--rulebook", "wa", "extra-draw-exposed", "--json").out)
        assert ([clause["id"] for clause in told["clauses"]], told["partly"]) == (
            ["WA-5.2", "WA-5.3"],
            ["irreg.exposed_between"],
        )
        told_all = words("--rulebook", "wa")
        assert "[the book is silent in part; house default: irreg.exposed_between]" in told_all

    def test_only_what_can_be_ruled_is_offered(self) -> None:
        assert "rule {action = shuffle_discards | void_round, reason," in words("--rulebook", "ctg", "too-few-cards")


class TestAcrossTheBooks:
    def test_books_that_do_the_same_are_together(self) -> None:
        out = words("face-up-cards")
        assert (
            "nz (New Zealand), wa (Crown Perth, Western Australia), ca (California, player-banked) Ruling None" in out
        )
        assert "ctg (Casino-To-Go fun casino) Ruling It waits for a ruling" in out
        assert "ma (Massachusetts) Ruling With the second one all hands" in out

    def test_books_in_which_other_people_declare_a_void_are_apart(self) -> None:
        """New Zealand and Perth rebuild alike; only in Perth must the operator sign what cannot be rebuilt."""
        out = run("ruling", "missed-hand").out
        heads = [line for line in out.splitlines() if line.startswith(("nz", "wa", "ctg", "ca", "ma"))]
        assert heads == [
            "nz (New Zealand)",
            "wa (Crown Perth, Western Australia)",
            "ctg (Casino-To-Go fun casino)",
            "ca (California, player-banked)",
            "ma (Massachusetts)",
        ]

    @pytest.mark.parametrize("slug", SLUGS)
    def test_every_book_with_its_clauses(self, slug: str) -> None:
        out = words(slug)
        data = json.loads(run("ruling", slug, "--json").out)
        assert [one["rulebook"] for one in data["books"]] == list(BOOKS)
        for one in data["books"]:
            cited = ", ".join(clause["id"] for clause in one["clauses"])
            ends = ";" if one["partly"] else "."
            assert f"{one['rulebook']}: {SILENT if one['silent'] else f'{cited}{ends}'}" in out
            assert one["ruling"] in out


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("asked", "near"),
        [
            ("face-up-crad", "face-up-card"),
            ("misdelivered", "misdelivered-card"),
            ("shufler-falt", "shuffler-fault"),
        ],
    )
    def test_an_unknown_incident_is_one_line_with_the_nearest(self, asked: str, near: str) -> None:
        assert run("ruling", asked).error == f"casinowar: no incident {asked!r}: did you mean {near}?"

    @pytest.mark.parametrize("asked", ["", "nosuch"])
    def test_where_nothing_is_near_the_list_is_named(self, asked: str) -> None:
        assert run("ruling", asked).error == f"casinowar: no incident {asked!r}: `casinowar ruling` lists them all"

    def test_spelling_with_other_dashes_is_understood(self) -> None:
        assert run("ruling", "Face_Up_Card").out == run("ruling", "face-up-card").out

    def test_an_unknown_book(self) -> None:
        assert "atlantis" in run("ruling", "--rulebook", "atlantis", "dispute").error

    def test_an_option_that_the_book_does_not_have(self) -> None:
        error = run("ruling", "--rulebook", "ma", "--set", "irreg.missed_hand=pit_boss", "missed-hand").error
        assert "irreg.missed_hand" in error
        assert "MA-10d" in error

    def test_an_option_needs_a_book_and_a_value(self) -> None:
        assert "--rulebook" in run("ruling", "--set", "irreg.void_scope=all", "void-hand").error
        assert "KEY=VALUE" in run("ruling", "--rulebook", "nz", "--set", "irreg.void_scope", "void-hand").error


ANA, BEN = bet("ana", 1, "initial", 1000), bet("ben", 2, "initial", 1000)
BANK = act("accept_bank", player="dan", box=8, stake=90_000)


def opened(book: str, *wagers: Act) -> list[Act]:
    """The wagers of a round, after a bank where the book has a player bank."""
    return [BANK, *wagers] if load_rulebook(book).bank.by == "player" else list(wagers)


def burned(book: str) -> str:
    """A card for the opening burn; in Western Australia it is turned up and its value is burned too."""
    return "Ac 2c" if load_rulebook(book).shoe.initial_burn == "face_up_plus_value" else "2c"


@pytest.mark.parametrize("book", BOOKS)
class TestTheEngineDoesWhatIsTold:
    """The told ruling against what comes of a round in which the thing happens."""

    def test_one_face_up_card(self, book: str) -> None:
        acts = [*opened(book, ANA), deal(len(burned(book).split())), act("report_face_up_card"), deal()]
        played = play(book, f"{burned(book)} Ah Kh 9d", *acts)
        assert "not used, and the next card takes its place" in told(book, "face-up-card").ruling
        assert played.dealt().endswith("discard Ah, box 1 Kh, dealer 9d")

    def test_two_face_up_cards(self, book: str) -> None:
        face_up = act("report_face_up_card")
        acts = [*opened(book, ANA), deal(len(burned(book).split())), face_up, face_up, deal()]
        played = play(book, f"{burned(book)} Ah As Kh 9d", *acts)
        ruling = told(book, "face-up-cards")
        if "all hands of the round are void" in ruling.ruling:
            assert played.settlements() == [("ana", 1, "initial", "void", 0)]
            assert len(played.events("shuffle_ordered")) == 1
        elif "waits for a ruling" in ruling.ruling:
            assert played.refusals == [(len(acts) - 1, "ruling_due")]
        else:
            assert played.dealt().endswith("discard Ah, discard As, box 1 Kh, dealer 9d")

    def test_an_exposed_card_drawn_in_error(self, book: str) -> None:
        acts = [*opened(book, ANA), deal(len(burned(book).split())), act("report_extra_draw", exposed=True), deal()]
        played = play(book, f"{burned(book)} Ah Kh 9d", *acts)
        is_used = "is used as the next card" in told(book, "extra-draw-exposed").ruling
        assert played.dealt().endswith("box 1 Ah, dealer Kh" if is_used else "discard Ah, box 1 Kh, dealer 9d")

    def test_a_missed_hand(self, book: str) -> None:
        first = len(burned(book).split()) + 1
        acts = [*opened(book, ANA, BEN), deal(first), act("report_missed_hand", box=2), deal()]
        played = play(book, f"{burned(book)} Kh 5d 9d 9c", *acts)
        ruling = told(book, "missed-hand")
        if "waits for a ruling" in ruling.ruling:
            assert played.refusals == [(len(acts) - 1, "ruling_due")]
        elif ruling.ruling.startswith("The hand is void"):
            assert ruling.open.startswith("Those on the hand go back")
            assert ("ben", 2, "initial", "void", 0) in played.settlements()
            assert played.dealt().endswith("box 1 Kh, dealer 5d")
        else:
            assert played.dealt().endswith("box 1 Kh, box 2 5d, dealer 9d")

    def test_a_wager_found_above_the_maximum(self, book: str) -> None:
        found = act("report_wager", player="ana", box=1, wager="initial", amount=60_000, by="dealer:d")
        acts = [*opened(book, ANA), deal(len(burned(book).split()) + 1), found, deal()]
        played = play(book, f"{burned(book)} Kh 9d", *acts)
        (record,) = told(book, "wager-above-maximum").acts
        assert record.do == "report_wager"
        if "dealer" in record.roles:
            assert played.gain("ana") == 50_000
        else:
            assert played.refusals == [(len(acts) - 2, "not_entitled")]
            assert played.gain("ana") == 1000

    def test_a_void_takes_two_once_the_result_is_known(self, book: str) -> None:
        (record,) = told(book, "void-hand").acts
        assert (record.do, record.second) == ("void_hand", "after_the_result")
        for role, other in (("operator", "supervisor"), ("supervisor", "operator")):
            alone = act("void_hand", box=1, by=f"{role}:s")
            both = {**alone, "second": f"{other}:o"}
            acts = [*opened(book, ANA), deal(), alone, both]
            played = play(book, f"{burned(book)} Kh Kd 9d", *acts)
            reason = "second_signature_due" if role in record.roles else "not_entitled"
            assert played.refusals == [(len(acts) - 2, reason)]
            assert played.gain("ana") == 0

    def test_two_supervisors_void_a_hand_unless_the_operator_must_sign(self, book: str) -> None:
        void = act("void_hand", box=1, by="supervisor:s", second="supervisor:t")
        acts = [*opened(book, ANA), deal(), void]
        played = play(book, f"{burned(book)} Kh Kd 9d", *acts)
        ruling = told(book, "void-hand")
        is_operators = "The Casino Operator declares it void" in ruling.ruling
        assert is_operators == (book in ("nz", "wa"))
        assert is_operators != ("or somebody above, declares it void" in ruling.ruling)
        assert played.refusals == ([(len(acts) - 1, "not_entitled")] if is_operators else [])
        assert played.gain("ana") == (-1000 if is_operators else 0)
        if is_operators:
            assert set(played.refusal_clauses[0]) <= set(ruling.clauses)

    def test_who_may_not_void_a_hand_may_not_void_all_of_them(self, book: str) -> None:
        """With one hand in the round, to void the round is to void the hand."""
        first = len(burned(book).split()) + 1
        reasons = []
        for void in (act("void_hand", box=1, by="supervisor:s"), act("void_round", by="supervisor:s")):
            played = play(book, f"{burned(book)} Kh Kd 9d", *opened(book, ANA), deal(first), void)
            reasons.append([reason for _, reason in played.refusals])
        assert reasons[0] == (["not_entitled"] if book in ("nz", "wa") else [])
        assert reasons[1] == reasons[0]

    def test_settled_wagers_of_a_void_hand(self, book: str) -> None:
        """A tie wager of 500 has won 5,000 on the first cards when the hand at war is voided."""
        tie = bet("ana", 1, "tie", 500)
        acts = [*opened(book, ANA, tie), deal(), war("ana", 1), act("void_hand", box=1)]
        shoe = f"{burned(book)} Kh Kd 9d"
        for scope, gain in (("open", 5000), ("all", 0)):
            ruling = told(book, "void-hand", irreg__void_scope=scope)
            assert ("settled ones stand" in ruling.ruling) == bool(gain)
            assert play(book, shoe, *acts, options={"irreg.void_scope": scope}).gain("ana") == gain


FIELDS: dict[str, Any] = {
    "box": 1,
    "boxes": [1],
    "player": "ana",
    "players": ["ana", "ben"],
    "action": "stand",
    "cause": "fire",
    "reason": "a ruling",
    "moves": [{"from": "box 1", "to": "box 2"}],
    "wager": "initial",
    "amount": 2000,
}


def example(told_act: RecordingAct, slug: str) -> Act:
    """The act with the fields that it must have."""
    names = [field.partition(" = ")[0] for field in told_act.fields]
    fields = {**FIELDS, "exposed": slug == "extra-draw-exposed"}
    if told_act.do == "report_misdelivered":
        fields["action"] = "burn"
    return act(told_act.do, **{name: fields[name] for name in names if not name.endswith("?")})


@pytest.mark.parametrize(("book", "shuffler"), ANY)
@pytest.mark.parametrize("slug", SLUGS)
def test_the_acts_told_are_acts_of_the_book(slug: str, book: str, shuffler: str | None) -> None:
    """In the middle of a deal, none of them is refused because the book does not know it, or does it otherwise."""
    options = {"shoe.shuffler": shuffler} if shuffler else {}
    ruling = told(book, slug, **({"shoe__shuffler": shuffler} if shuffler else {}))
    first = len(burned(book).split()) + 1
    for one in ruling.acts:
        played = play(
            book,
            f"{burned(book)} Kh 5d 9d 9c",
            *opened(book, ANA, BEN),
            deal(first),
            example(one, slug),
            options=options,
        )
        reasons = {reason for _, reason in played.refusals}
        wrong = {"not_in_the_book", "reconstruct_instead", "no_shuffler", "continuous_shuffler", "shoe_is_short"}
        assert not reasons & wrong, (one.do, reasons)


OPTIONAL: dict[str, dict[str, Any]] = {
    "reconstruct": {"moves": [{"from": "box 1", "to": "box 2"}]},
    "release_players": {"players": ["ana"]},
    "void_player": {"player": "ana"},
    "exclude_player": {"player": "ana"},
    "report_contravention": {"player": "ana", "reason": "a device"},
    "flag_partnership": {"players": ["ana", "ben"]},
    "invalidate_round": {"cause": "fire"},
    "report_shuffler_fault": {"boxes": [1]},
}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("do", OPTIONAL)
def test_an_act_that_no_incident_of_a_book_tells_is_not_in_the_book(book: str, do: str) -> None:
    is_told = any(do in acts_of(told(book, slug)) for slug in SLUGS)
    first = len(burned(book).split()) + 1
    acts = [*opened(book, ANA, BEN), deal(first), act(do, **OPTIONAL[do])]
    played = play(book, f"{burned(book)} Kh 5d 9d 9c", *acts)
    is_unknown = bool({"not_in_the_book", "no_shuffler"} & {reason for _, reason in played.refusals})
    assert is_unknown != is_told


@pytest.mark.parametrize(("book", "shuffler"), ANY)
@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("role", ["dealer", "supervisor", "manager", "operator", "player"])
def test_the_roles_told_are_those_of_the_engine(slug: str, book: str, shuffler: str | None, role: str) -> None:
    options = {"shoe.shuffler": shuffler} if shuffler else {}
    for one in told(book, slug, **({"shoe__shuffler": shuffler} if shuffler else {})).acts:
        for what, roles in ({}, one.roles), (VOIDS.get(one.do), one.void_roles or one.roles):
            if what is None or (what and not is_told_a_void(one)):
                continue
            given = {**example(one, slug), **what, "by": f"{role}:ana"}
            played = play(book, "Ac 2c Kh Kd", *opened(book, ANA), given, options=options)
            is_refused = "not_entitled" in {reason for _, reason in played.refusals}
            assert is_refused == (role not in roles), (one.do, what, played.refusals)


VOIDS: dict[str, dict[str, Any]] = {
    "rule": {"action": "void_hand", "box": 1},
    "report_shuffler_fault": {"boxes": [1]},
}
"""What makes a void of an act that can be something else too."""


def is_told_a_void(one: RecordingAct) -> bool:
    names = [field.partition(" = ")[0] for field in one.fields]
    return (
        bool({"boxes", "boxes?"} & set(names))
        if one.do == "report_shuffler_fault"
        else any("void_hand" in field for field in one.fields)
    )


@pytest.mark.parametrize(("book", "shuffler"), ANY)
@pytest.mark.parametrize("slug", SLUGS)
def test_the_second_signature_told_is_the_engines(slug: str, book: str, shuffler: str | None) -> None:
    """Ana's and the dealer's cards lie, and somebody who may gives the act alone: as it is, and as a void."""
    options = {"shoe.shuffler": shuffler} if shuffler else {}
    for one in told(book, slug, **({"shoe__shuffler": shuffler} if shuffler else {})).acts:
        void = VOIDS[one.do] if one.do in VOIDS and is_told_a_void(one) else None
        is_due = {"none": (False, False), "after_the_result": (True, True)}.get(one.second, (False, True))
        for what, due in zip(({}, void), is_due, strict=True):
            if what is None or (one.second == "after_the_result" and what == {} and void):
                continue
            given = {**example(one, slug), **what, "by": "operator:o"}
            acts = [*opened(book, ANA, BEN), deal(len(burned(book).split()) + 3), given]
            played = play(book, f"{burned(book)} Kh 5d Kd 9c", *acts, options=options)
            assert ("second_signature_due" in {reason for _, reason in played.refusals}) == due, (one.do, what)


@pytest.mark.parametrize(("book", "shuffler"), ANY)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_choice_that_is_told_of_a_field_is_the_books(slug: str, book: str, shuffler: str | None) -> None:
    """While the second hand is due its card, each choice is played, and each field that may be left out is given."""
    options = {"shoe.shuffler": shuffler} if shuffler else {}
    for one in told(book, slug, **({"shoe__shuffler": shuffler} if shuffler else {})).acts:
        for field in one.fields:
            name, _, choices = field.partition(" = ")
            for choice in choices.split(" | ") if choices else [[1]] if name.startswith("boxes") else []:
                if choice == "shuffle_discards":
                    assert (book, slug) == ("ctg", "too-few-cards")
                    continue
                given = {**example(one, slug), name.removesuffix("?"): choice, "by": "operator:o"}
                first = len(burned(book).split()) + 1
                acts = [*opened(book, ANA, BEN), deal(first), given]
                played = play(book, f"{burned(book)} Kh 5d 9d 9c", *acts, options=options)
                reasons = {reason for _, reason in played.refusals}
                assert not reasons & {"not_in_the_book", "wager_not_offered"}, (one.do, field, choice)


@pytest.mark.parametrize("book", ["nz", "wa"])
def test_no_clause_says_what_to_do_when_a_shoe_without_an_end_runs_dry(book: str) -> None:
    """NZ-3.5 and NZ-7.7b speak of one set and of the cutting card, WA-1.1 of the machine: they only bear on it."""
    ruling = told(book, "too-few-cards", shoe__shuffler="continuous")
    assert (ruling.silent, ruling.clauses) == (True, {})
    assert set(ruling.see) >= ({"NZ-3.5-ii", "NZ-7.7b-i"} if book == "nz" else {"WA-1.1-AUTO"})
    assert not told(book, "missing-cut-card", shoe__shuffler="continuous").silent


def test_who_may_void_is_told_where_fewer_may_than_rule() -> None:
    out = words("--rulebook", "nz", "dispute")
    assert "by Game Supervisor, Casino Supervisor or Casino Operator, a void by Casino Operator; a second" in out
    (record,) = json.loads(run("ruling", "--rulebook", "nz", "dispute", "--json").out)["acts"]
    assert (record["void_roles"], record["void_called"]) == (["operator"], ["Casino Operator"])
    (record,) = json.loads(run("ruling", "--rulebook", "ca", "dispute", "--json").out)["acts"]
    assert "void_roles" not in record


MA_CHOICES = {
    "burn": "discard Ah, box 1 Kh, dealer 9d",
    "forward": "box 1 Ah, dealer Kh",
    "dealer_next": "dealer Ah, box 1 Kh",
}


@pytest.mark.parametrize("value", MA_CHOICES)
def test_where_an_exposed_card_goes_by_option(value: str) -> None:
    ruling = told("ma", "extra-draw-exposed", irreg__exposed_extra=value).ruling
    first = {
        "burn": "The card is burned",
        "forward": "The card goes forward",
        "dealer_next": "The card is the dealer's next",
    }
    assert ruling.startswith(first[value])
    acts = [ANA, deal(1), act("report_extra_draw", exposed=True), deal()]
    played = play("ma", "2c Ah Kh 9d", *acts, options={"irreg.exposed_extra": value})
    assert played.dealt() == f"burn 2c, {MA_CHOICES[value]}"


@pytest.mark.clause("WA-6.10", "WA-6.9a")
@pytest.mark.parametrize(("scope", "gain"), [("all", 0), ("open", 1000)])
def test_an_invalidated_round_gives_back_what_is_told(scope: str, gain: int) -> None:
    """Ana has won 1,000 when the round is cancelled for a fire."""
    ruling = told("wa", "invalidated-round", irreg__invalidate_scope=scope)
    assert ruling.settled.startswith("Reversed" if scope == "all" else "Stand")
    assert "fire" in ruling.ruling
    assert "act of God" in ruling.ruling
    acts = [ANA, bet("ben", 2, "initial", 1000), deal(), act("invalidate_round", cause="fire")]
    played = play("wa", "Ac 2c Kh 9s 9d", *acts, options={"irreg.invalidate_scope": scope})
    assert played.gain("ana") == gain


@pytest.mark.parametrize(("value", "gain"), [("refund", 0), ("forfeit", -1000)])
def test_a_contravention_costs_what_is_told(value: str, gain: int) -> None:
    ruling = told("wa", "contravention", irreg__contravention=value)
    assert ruling.open == ("The player's go back." if not gain else "The player's are lost to the house.")
    acts = [ANA, BEN, deal(3), act("void_player", player="ana", reason="a device"), deal()]
    played = play("wa", "Ac 2c Kh 9s 9d", *acts, options={"irreg.contravention": value})
    assert played.gain("ana") == gain


def test_a_leaf_that_a_book_lacks_has_its_default() -> None:
    rules = load_rulebook("ctg")
    assert "irreg.shuffler_fault" not in rules.leaves
    assert value_of(rules, "irreg.shuffler_fault") == "none"
    assert acts_of(told("ctg", "shuffler-fault")) == ["rule"]
    assert "CTG-G6" in told("ctg", "shuffler-fault").clauses
