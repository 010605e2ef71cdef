"""What the house's players do at a live table: they are given chips, bet, choose, and answer for the bank."""

from casinowar.engine import commands as c
from casinowar.house.table.bot_strategies import BANK_STAKE, BotPlayer
from casinowar.house.table.chips import least_stake
from casinowar.house.table.draft import Draft
from casinowar.house.table.table import LiveTable


def idle_bots(live: LiveTable) -> list[BotPlayer]:
    """The bots that have not bet on the round to come."""
    if live.bots_have_bet == live.rounds_done:
        return []
    round_, bank = live.table.round, live.table.bank
    wagers = {} if round_.is_over else round_.wagers
    return [
        bot
        for bot in live.bots.values()
        if (bot.box, "initial", bot.name) not in wagers
        and bot.name not in live.leaving
        and not (bank is not None and bank.player == bot.name)
    ]


def fund_bot(live: LiveTable, draft: Draft, bot: BotPlayer) -> None:
    """Buy chips for a bot that is short of them, out of a purse that the house fills."""
    due = bot.purse(live.table, bots_stake(live)) - draft.table.players.get(bot.name, 0)
    if due > 0:
        short = due - live.store.known_balance(f"purse:{bot.name}")
        if short > 0:
            live.fund(bot.name, short)
        draft.must(c.BuyIn(player=bot.name, amount=due))


def bots_stake(live: LiveTable) -> int:
    """The stake that a bot banks with."""
    usual = BANK_STAKE * live.rules.table.boxes * max(1, live.table.limit.minimum)
    return max(usual, least_stake(live.settings, live.table))


def bots_bet(live: LiveTable, draft: Draft) -> None:
    for bot in idle_bots(live):
        fund_bot(live, draft, bot)
        bot.bet(draft)
    live.bots_have_bet = live.rounds_done


def bot_answers_bank(live: LiveTable, draft: Draft, player: str) -> None:
    bot = live.bots[player]
    fund_bot(live, draft, bot)
    bot.answer_bank(draft, bots_stake(live))


def bots_decide(live: LiveTable, draft: Draft) -> None:
    """Let the bots choose whose turn it is; others wait for whoever is asked before them."""
    for _, player in live.table.round.asked:
        if player in live.bots:
            fund_bot(live, draft, live.bots[player])
            live.bots[player].decide(draft)
    live.bots_decided = (live.rounds_done, live.version)
