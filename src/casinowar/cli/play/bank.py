"""The bank of a player-banked game: offered round the table in the engine's order until somebody takes it."""

from collections.abc import Mapping

from casinowar.cli.play.talk import YOU, Talk
from casinowar.cli.terminal.bets import BetError, parse_amount
from casinowar.dealers import Bot
from casinowar.engine import Refusal
from casinowar.engine import commands as c


def fill_bank(talk: Talk, box: int, bots: Mapping[str, Bot]) -> None:
    """Offer the bank to who is next: you, or a bot, which takes it with its declared stake."""
    session = talk.session
    while session.table.bank is None:
        player = session.bank_offers[0]
        if player == YOU:
            _offer(talk, box)
            continue
        if session.table.players[player] < session.table.limit.minimum:
            session.buy_in(player, talk.bank)
            talk.say(f"{player} buys chips for {talk.bank}.")
        talk.tell(talk.accepted(bots[player].take_bank(session)))


def _offer(talk: Talk, box: int) -> None:
    """Offer you the bank. If nobody else can bank there is no round without you, and it is offered again."""
    turn = talk.session.table.bank_turn
    has_it = turn is not None and turn.player == YOU
    again = min(talk.last_stake, talk.balance) if has_it else 0
    words = "The bank is yours for another round." if has_it else "The bank is offered to you."
    usual = f"Enter: {again}" if again else f"E.g. {talk.bank // 2}"
    talk.choice = f"type how many of your {talk.balance} chips you bank with, or no to pass the bank on."
    answer = talk.prompt(f"{words} Stake? {usual}; no to pass. > ")
    talk.choice = ""
    if answer in ("n", "no", "pass"):
        passed = talk.session.do(c.RelinquishBank(player=YOU) if has_it else c.DeclineBank(player=YOU))
        if isinstance(passed, Refusal):
            talk.refuse(passed)
            return
        talk.tell(passed)
        if talk.session.bank_offers[0] == YOU:
            talk.say("Nobody else can bank now, and without a bank there is no round.")
        return
    try:
        stake = again if again and not answer else parse_amount(answer.removeprefix("bank "))
    except BetError:
        talk.say(f"Please type how many of your {talk.balance} chips you bank with, or no.")
        return
    done = talk.session.do(c.AcceptBank(player=YOU, box=box, stake=stake))
    if isinstance(done, Refusal):
        talk.refuse(done)
        return
    talk.last_stake = stake
    talk.tell(done)
