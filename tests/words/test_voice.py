"""One sentence for each event, in the voice of whoever tells it; one table of reasons for refusals."""

import pytest

from casinowar.cards import Card
from casinowar.engine import Refusal
from casinowar.engine import events as e
from casinowar.rulebooks import load_rulebook
from casinowar.words.events import tell_event
from casinowar.words.live_events import say_event
from casinowar.words.refusals import REASONS, reason_in_words, refused
from casinowar.words.voice import Voice, live_voice

NZ = load_rulebook("nz")
CLAUSES = ("NZ-8.10",)


@pytest.mark.parametrize(
    ("event", "log", "live"),
    [
        (
            e.WagerFound("ana", 2, "initial", 1000, 1250, "dealer:dee", clauses=CLAUSES),
            "ana's Casino War on box 2 is found to be 1,250, not 1,000, by dealer:dee",
            "ana's Casino War on box 2 is found to be 12.50, not 10, by dealer dee",
        ),
        (
            e.CardDiscarded(Card("Ts"), "supervisor:sue_b", clauses=CLAUSES),
            "Out of play: Ts, says Game Supervisor sue_b",
            "Out of play: 10♠, says Game Supervisor sue_b",
        ),
        (
            e.CardDiscarded(None, clauses=CLAUSES),
            "Out of play: a card nobody saw",
            "Out of play: a card, its face not noted",
        ),
        (
            e.OfferMissed("Kh", 1, (Card("Kh"), None), "dealer", clauses=CLAUSES),
            "Kh was not asked on box 1 and chooses now; cards dealt meanwhile: Kh xx",
            "Kh was not asked on box 1 and chooses now; cards dealt meanwhile: K♥ xx",
        ),
    ],
)
def test_two_voices_write_the_same_sentence(event: e.Event, log: str, live: str) -> None:
    assert tell_event(Voice(NZ), event) == log
    assert tell_event(live_voice(NZ, 2), event) == say_event(NZ, event, 2) == live


def test_what_somebody_wrote_is_quoted_as_written() -> None:
    excluded = e.PlayerExcluded("ana", "took the Kh from dealer:dee", "operator:olga", clauses=CLAUSES)
    told = say_event(NZ, excluded, 2)
    assert told == "ana is excluded from the game, by Casino Operator olga: took the Kh from dealer:dee"


def test_a_signature_of_a_name_with_an_underscore_is_the_same_in_every_sentence() -> None:
    void = e.HandVoided(1, "a_reason", "operator:olga", by="manager:max_y", clauses=CLAUSES)
    told = tell_event(Voice(NZ), void)
    assert told == "The hand on box 1 is void, by Casino Supervisor max_y and Casino Operator olga: a reason"


def test_a_refusal_is_told_to_each_in_words_of_their_own() -> None:
    assert reason_in_words("not_seated") == "the player has no seat"
    assert refused("x", Refusal("not_seated")).says == "that takes a seat at the table"
    assert reason_in_words("never_heard_of") == "never heard of"


def test_every_reason_says_something_to_everybody() -> None:
    for name, reason in REASONS.items():
        assert reason.says, name
        assert reason.live != reason.says, name
        assert not reason.you or reason.you.endswith("."), name
