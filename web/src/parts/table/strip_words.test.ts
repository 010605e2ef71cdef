// The strip, the dock and what is heard: each tells what has been shown, no more and no less.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Live, Told } from '../../lib/live.svelte'
import { sentence } from '../../lib/saying'
import type { LiveView, View, WagerSpot } from '../../lib/wire'
import { Play } from './play.svelte'
import { Scene } from './scene.svelte'
import { fromView, isSettling, step, withHeld } from './shown'
import { areaState } from './spotstate'
import { callerLine, spoken, waitedFor } from './caller_words'
import { isTold, ruling, settledWords } from './strip_words'

const limit = { minimum: 500, maximum: 100_000, unit: 500 }
const LAYOUT: WagerSpot[] = [
  { wager: 'initial', label: 'Casino War', limit, odds: [] },
  { wager: 'war', label: 'Go to War', limit, odds: [] },
  { wager: 'perfect_pairs', label: 'Perfect Pairs', limit, odds: [] },
  { wager: 'war_perfect_pairs', label: 'Perfect Pairs', limit, odds: [] },
]
type Box = View['boxes'][number]
const aBox = (box: number, change: Partial<Box> = {}): Box => ({
  box, player: box === 2 ? 'ana' : null, wagers: [], cards: [], is_at_war: false, settled: [], open_wagers: [], ...change,
})
function aView(change: Partial<View> = {}): View {
  return {
    layout: LAYOUT, phase: 'betting', round: 3, dealer: [], asked: [], shoe_left: 300, discards: 12, bank: null, burned: 0, balance: 50_000,
    boxes: [aBox(1), aBox(2), aBox(3)], signs: { notices: [], rulebook: 'wa', decks: 6, limit, box_maximum: null, player_maximum: null },
    is_player_banked: false, bank_offered_to: null, cut_offered_to: null, choices: [], open_wagers: ['initial'], ...change,
  } as unknown as View
}
const aLive = (view: View, change: Partial<LiveView> = {}): LiveView =>
  ({ view, stopped: null, is_paused: false, seal: { stage: 'dealing' }, rounds: [], seats: [{ box: 2, player: 'ana' }], purse: 0, minor_digits: 2, ...change }) as unknown as LiveView
const told = (name: string, fields: Record<string, unknown> = {}, version = 1): Told => ({ name, version, at: 0, clauses: [], ...fields }) as Told
const settled = (wager: string, fields: Record<string, unknown>, version = 9): Told =>
  told('wager_settled', { player: 'ana', box: 2, wager, amount: 2500, outcome: 'win', paid: 0, returned: 0, odds: null, ...fields }, version)

function aPlay(view: View, change: Partial<LiveView> = {}, answer: object = { type: 'done' }) {
  return new Play({ view: aLive(view, change), fault: null, do: () => Promise.resolve(answer) } as unknown as Live, () => 'ana')
}

describe('a refusal', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const no = { type: 'refused', code: 'too_many_boxes', says: 'too many boxes: one each', clauses: ['NZ-5.7'] }
  async function refused(): Promise<Play> {
    const play = aPlay(aView(), {}, no)
    play.hear('Bets are open.')
    await play.bet()
    expect(play.refusal).toEqual({ says: 'Too many boxes: one each.', clauses: ['NZ-5.7'], kind: 'refused' })
    return play
  }
  test('gives way to the next thing that the table has to say', async () => {
    const play = await refused()
    play.hear('Bets are open.')
    expect(play.refusal).not.toBeNull()
    play.hear('Your 9♥ ties the dealer’s 9♦. Now choose.')
    expect(play.refusal).toBeNull()
  })
  test('goes after six seconds', async () => {
    const play = await refused()
    vi.advanceTimersByTime(5_900)
    expect(play.refusal).not.toBeNull()
    vi.advanceTimersByTime(200)
    expect(play.refusal).toBeNull()
  })
  test('names the limit that the sign has', async () => {
    const signs = { ...aView().signs, box_maximum: 50_000 }
    const play = aPlay(aView({ signs }), {}, { ...no, code: 'area_above_maximum' })
    await play.bet()
    expect(play.refusal?.says).toBe('At most 500 of all bettors on one area.')
  })
})

describe('what cannot be done is off', () => {
  test('a war that cannot be paid, with what it needs', async () => {
    const choices = [{ box: 2, player: 'ana', war: 50_000, back: 25_000, can_now: true }] as unknown as View['choices']
    expect(aPlay(aView({ choices, balance: 50_000 })).warNeeds).toBe('')
    const poor = aPlay(aView({ choices, balance: 1000 }), { purse: 500 })
    expect(poor.warNeeds).toBe('needs 500, you have 15')
    expect([await poor.war(), poor.refusal?.says]).toEqual([false, 'War needs 500, you have 15.'])
  })
  test.each([[20_000, 50_000, true], [limit.maximum, 10 ** 9, false], [20_000, 19_999, false]])('doubling of %s with %s more: %s', (amount, balance, can) => {
    const boxes = [aBox(1), aBox(2, { wagers: [['ana', 'initial', amount]], open_wagers: ['initial'] })]
    expect(aPlay(aView({ boxes, balance })).canDouble).toBe(can)
  })
  test.each([[true, 'Put a chip on Casino War first'], [false, '']])('a side wager in hand alone, where the first comes first: %s', async (is_initial_first, needs) => {
    const boxes = [aBox(1), aBox(2, { open_wagers: ['initial', 'perfect_pairs'] })]
    const play = aPlay(aView({ is_bet_final: true, is_initial_first, boxes }))
    await play.pick(2, 'perfect_pairs')
    expect(play.heldNeeds).toBe(needs)
    await play.pick(2, 'initial')
    expect(play.heldNeeds).toBe('')
  })
  test.each([[true, 700, true], [true, 1000, false], [false, 700, false], [false, 499, true]])('a round, where the first wager comes first: %s, with %s left: %s', (is_initial_first, balance, isBroke) => {
    const layout = LAYOUT.map((spot, at) => ({ ...spot, limit: { ...limit, minimum: at === 0 ? 1000 : 500 } }))
    expect(aPlay(aView({ layout, is_initial_first, balance })).isBroke).toBe(isBroke)
  })
  test('a last wager whose first wager cannot be paid any more, unless that lies', () => {
    const layout = LAYOUT.map((spot, at) => ({ ...spot, limit: { ...limit, minimum: at === 0 ? 1000 : 500 } }))
    const wagers = [[2, 'initial', 'ana', 1000, 'lose', 0, 0], [2, 'perfect_pairs', 'ana', 500, 'lose', 0, 0]]
    const rounds = [{ number: 2, wagers, placed: [] }] as unknown as LiveView['rounds']
    const again = (lies: Box['wagers']): unknown => {
      const boxes = [aBox(1), aBox(2, { wagers: lies, open_wagers: ['initial', 'perfect_pairs'] })]
      return aPlay(aView({ layout, is_initial_first: true, balance: 700, boxes }), { rounds }).again
    }
    expect(again([])).toEqual([])
    expect(again([['ana', 'initial', 1000]])).toEqual([{ box: 2, wager: 'perfect_pairs', amount: 500 }])
  })
  test('a side wager that is refused names the first wager as the layout does', async () => {
    const no = { type: 'refused', code: 'initial_required', says: 'the opening wager must come first', clauses: [] }
    const play = aPlay(aView({ boxes: [aBox(1), aBox(2, { open_wagers: ['initial', 'perfect_pairs'] })] }), {}, no)
    await play.pick(2, 'perfect_pairs')
    expect(play.refusal?.says).toBe('Put a chip on Casino War first.')
  })
})

describe('places', () => {
  test('are those of the box as the view has them', () => {
    const play = aPlay(aView({ boxes: [aBox(1), aBox(2, { open_wagers: ['initial', 'tie'] })] }))
    expect([play.isOpen(1, 'initial'), play.isOpen(2, 'initial'), play.isOpen(2, 'tie'), play.isOpen(2, 'a_bomb')]).toEqual([false, true, true, false])
  })
  test('on the second card are in the area of the first', () => {
    const play = aPlay(aView({ phase: 'war_betting', boxes: [aBox(1), aBox(2, { open_wagers: ['war_perfect_pairs'] })] }))
    expect([play.isOpen(2, 'perfect_pairs'), play.isOpen(2, 'initial'), play.isOpen(1, 'perfect_pairs')]).toEqual([true, false, false])
  })
  test.each([[['initial'], true], [[], false]])('that take more (%s) leave what lies to be changed: %s', (open_wagers, canChange) => {
    const play = aPlay(aView({ boxes: [aBox(1), aBox(2, { wagers: [['ana', 'initial', 500]], open_wagers })] }))
    expect(play.canChange).toBe(canChange)
  })
})

const live = (play: Play, dealer_kind: LiveView['dealer_kind']): void => void (play.live.view = { ...play.now, dealer_kind })

describe('chips where a wager stays as it was put down', () => {
  const open = aBox(2, { open_wagers: ['initial', 'perfect_pairs'] })
  const final = (boxes = [aBox(1), open]): View => aView({ is_bet_final: true, boxes })
  function held(): { play: Play; sent: Record<string, unknown>[]; live: { view: LiveView } } {
    const sent: Record<string, unknown>[] = []
    const live = { view: aLive(final()), fault: null, do: (command: Record<string, unknown>) => (sent.push(command), Promise.resolve({ type: 'done' })) }
    return { play: new Play(live as unknown as Live, () => 'ana'), sent, live }
  }
  test('are held until they are placed, the first wager first', async () => {
    const { play, sent } = held()
    await play.pick(2, 'perfect_pairs')
    for (let left = 2; left > 0; left--) await play.pick(2, 'initial')
    expect(sent).toEqual([])
    expect(play.held).toEqual([{ box: 2, wager: 'perfect_pairs', amount: 500 }, { box: 2, wager: 'initial', amount: 1000 }])
    await play.double()
    await play.placeHeld()
    expect(sent.map(({ do: act, wager, amount }) => [act, wager, amount])).toEqual([['place_wager', 'initial', 2000], ['place_wager', 'perfect_pairs', 1000]])
    expect(play.held).toEqual([])
  })
  test('never exceed the limit or the balance, and that is told', async () => {
    const { play, live } = held()
    const top = LAYOUT.map((spot) => ({ ...spot, limit: { ...limit, maximum: 1000 } }))
    live.view = aLive({ ...final(), layout: top })
    for (let left = 3; left > 0; left--) await play.pick(2, 'initial')
    expect([play.held.map((bet) => bet.amount), play.refusal?.says]).toEqual([[1000], 'At most 10 on Casino War.'])
    await play.double()
    expect([play.held.map((bet) => bet.amount), play.refusal?.says]).toEqual([[1000], 'At most 10 on Casino War.'])
    live.view = aLive({ ...final(), balance: 1200 })
    await play.pick(2, 'perfect_pairs')
    expect([play.held.length, play.refusal?.says]).toEqual([1, 'You have 12.'])
  })
  test('are placed and dealt to in one press', async () => {
    const { play, sent } = held()
    live(play, 'automatic')
    await play.pick(2, 'initial')
    await play.deal()
    expect(sent.map((one) => one['do'])).toEqual(['place_wager', 'ready'])
  })
  test('of a repeated round are not held: one press puts them down and deals', async () => {
    const { play, sent } = held()
    play.live.view = aLive(final(), { rounds: [{ number: 2, wagers: [[2, 'initial', 'ana', 2500, 'win', 0, 0]], placed: [3000] }] as never })
    await play.sameAgain()
    expect(sent.map(({ do: act, amount }) => [act, amount])).toEqual([['place_wager', 3000], ['ready', undefined]])
  })
  test('are cleared without a word to the server', async () => {
    const { play, sent } = held()
    await play.pick(2, 'initial')
    expect(play.canChange).toBe(true)
    await play.clear()
    expect([play.held, sent]).toEqual([[], []])
  })
  test('are let go when bets close, and that is told; not so where they lie', async () => {
    const { play, live } = held()
    await play.pick(2, 'initial')
    await play.pick(2, 'perfect_pairs')
    live.view = aLive(final([aBox(1), aBox(2, { wagers: [['ana', 'initial', 500]], open_wagers: ['perfect_pairs'] })]))
    play.letGo()
    expect([play.held.map((bet) => bet.wager), play.refusal]).toEqual([['perfect_pairs'], null])
    live.view = aLive(final([aBox(1), aBox(2, { wagers: [['ana', 'initial', 500]] })]))
    play.letGo()
    play.hear('Your nine against a king.')
    expect([play.held, play.refusal?.says]).toEqual([[], 'Bets closed before yours were placed.'])
  })
  test('stay in hand where a whole round has passed, and that is told', async () => {
    const { play, live } = held()
    play.letGo()
    await play.pick(2, 'initial')
    play.letGo()
    expect(play.refusal).toBeNull()
    live.view = aLive(final(), { rounds: [{ number: 3, wagers: [], placed: [] }] as never })
    play.letGo()
    expect([play.held.length, play.refusal?.says]).toEqual([1, 'Bets closed before yours were placed.'])
  })
  test('on a spot that takes no more are for the server to refuse', async () => {
    const { play, sent, live } = held()
    live.view = aLive(final([aBox(1), aBox(2, { wagers: [['ana', 'initial', 500]] })]))
    await play.pick(2, 'initial')
    expect([play.held, sent.length]).toEqual([[], 1])
  })
  test('lie on the felt for their player alone', () => {
    const { boxes } = withHeld(fromView(final()), 'ana', [{ box: 2, wager: 'initial', amount: 500 }])
    const state = areaState(boxes[1]!.laid, 'initial', 'ana', 'ana')
    expect([state.kind, state.isHeld, state.says]).toEqual(['down', true, '5 in hand, not placed'])
  })
})

describe('the tray', () => {
  test('holds no chip that no wager could be', () => {
    const most = { ...limit, maximum: 50_000 }
    const play = aPlay(aView({ layout: LAYOUT.map((spot) => ({ ...spot, limit: most })) }))
    expect(play.chips.map((kind) => kind.value)).toEqual([5, 25, 100, 500])
  })
  test('lets no chip be chosen for which there is no money: the largest below it is in hand', () => {
    const play = aPlay(aView({ balance: 6000 }))
    play.chosen = 3
    expect([play.chips.map((_, at) => play.canPay(at)), play.picked]).toEqual([[true, true, false, false, false], 1])
  })
})

describe('the same again', () => {
  const rounds = [{ number: 2, wagers: [[2, 'initial', 'ana', 2500, 'win', 0, 0], [3, 'initial', 'ana', 5000, 'win', 0, 0]], placed: [] }] as never
  test('goes on the same boxes, each with its name', () => {
    const play = aPlay(aView(), { rounds })
    expect(play.before).toEqual([{ box: 2, wager: 'initial', amount: 2500 }, { box: 3, wager: 'initial', amount: 5000 }])
    expect(play.parts(play.before)).toEqual(['Casino War 25 on box 2', 'Casino War 50 on box 3'])
    expect(play.parts(play.before.slice(0, 1))).toEqual(['Casino War 25'])
  })
  test('names the wagers, and says where they are less', () => {
    const open = [aBox(1), aBox(2, { open_wagers: ['initial', 'perfect_pairs'] }), aBox(3)]
    const before = [{ number: 2, wagers: [[2, 'initial', 'ana', 2500, 'win', 0, 0], [2, 'perfect_pairs', 'ana', 500, 'lose', 0, 0]], placed: [] }] as never
    const says = (balance: number): string => aPlay(aView({ balance, boxes: open }), { rounds: before }).againSays.replaceAll('\u00a0', ' ')
    expect(says(9000)).toBe('30 on 2 wagers: Casino War 25, Perfect Pairs 5')
    expect(says(2600)).toBe('Casino War 25: all that can be placed')
    expect(aPlay(aView({ balance: 400, boxes: open }), { rounds: before }).again).toEqual([])
  })
  test('names them shortly where room is short, and still all of them', () => {
    const layout = [...LAYOUT, { wager: 'tie', label: 'Tie', limit, odds: [] }, { wager: 'progressive', label: 'Casino War Progressive', limit, odds: [] }]
    const kinds = ['initial', 'tie', 'progressive']
    const boxes = [aBox(1), aBox(2, { open_wagers: kinds }), aBox(3)]
    const says = (count: number, balance = 9000): string => {
      const before = [{ number: 2, wagers: kinds.slice(0, count).map((wager) => [2, wager, 'ana', 500, 'lose', 0, 0]), placed: [] }] as never
      return aPlay(aView({ layout, balance, boxes }), { rounds: before }).againShort.replaceAll('\u00a0', ' ')
    }
    expect([says(1), says(2), says(3)]).toEqual(['Casino War 5', 'Casino War 5, Tie 5', 'War 5, Tie 5, Progressive 5'])
    expect(says(3, 1000)).toBe('only Casino War 5, Tie 5')
  })
  test('puts the wagers down and says to be ready, and not where one is refused', async () => {
    const open = [aBox(1), aBox(2, { open_wagers: ['initial'] })]
    const one = [{ number: 2, wagers: [[2, 'initial', 'ana', 2500, 'win', 0, 0]], placed: [] }] as never
    for (const [type, acts] of [['done', ['place_wager', 'ready']], ['refused', ['place_wager']]] as const) {
      const play = aPlay(aView({ boxes: open }), { rounds: one }, { type, code: '', says: 'no', clauses: [] })
      const sent = vi.spyOn(play.live, 'do')
      await play.sameAgain()
      expect(sent.mock.calls.map(([command]) => command.do)).toEqual(acts)
    }
  })
  test('follows whoever has changed the seat', () => {
    const play = aPlay(aView(), { rounds, seats: [{ box: 1, player: 'ana' }] as never })
    play.sitsIn(2, 'dealing', 2)
    expect(play.before.map((bet) => bet.box)).toEqual([1, 3])
  })
})

describe('money', () => {
  const begun = aView({ phase: 'deciding', dealer: ['9d'], asked: [[2, 'ana']], boxes: [aBox(1), aBox(2, { wagers: [['ana', 'initial', 2500]], cards: ['9h'] })] })
  function clock() {
    const due: (() => void)[] = []
    return { now: () => 1, isHidden: () => false, after: (_: number, act: () => void) => void due.push(act), next: () => due.shift()?.() }
  }
  /** The war is declared, and while that is looked at its cards and its end are told. */
  function atWar() {
    const time = clock()
    const scene = new Scene(() => 'ana', time)
    scene.stand(begun)
    const down = aView({ ...begun, phase: 'dealing', asked: [], boxes: [aBox(1), aBox(2, { wagers: [['ana', 'initial', 2500], ['ana', 'war', 2500]], is_at_war: true, cards: ['9h'] })] })
    scene.happened([told('war_declared', { player: 'ana', box: 2, amount: 2500 })], down)
    const over = aView({ round: 3, boxes: [aBox(1), aBox(2)], signs: { ...begun.signs, meter: 7 } as never })
    scene.happened([
      told('card_dealt', { box: 2, card: 'Kh' }), told('card_dealt', { box: 0, card: '2c' }),
      settled('war', { paid: 5000, returned: 2500 }), settled('initial', { outcome: 'push', returned: 2500 }), told('round_ended', { number: 3 }),
    ], over)
    return { scene, time, down, over }
  }
  test('that the cards will bring is not told before they are turned', () => {
    const { scene, time, over } = atWar()
    expect(scene.isMoving).toBe(true)
    // Both stakes lie still: 50 come back and 50 on top of them.
    expect(scene.ahead).toEqual({ money: 10_000, layout: -5000 })
    expect(scene.seen).not.toBe(over)
    for (let left = 3; left > 0; left--) time.next()
    expect(scene.shown?.dealer).toHaveLength(2)
    for (let left = 9; left > 0; left--) time.next()
    expect([scene.isMoving, scene.ahead, scene.seen]).toEqual([false, { money: 0, layout: 0 }, over])
  })
  test('of one’s own bank comes with the end of the round', () => {
    const scene = new Scene(() => 'ana', clock())
    scene.stand(begun)
    scene.happened([told('card_dealt', { box: 0, card: '2c' }), told('bank_returned', { player: 'ana', amount: 800, net: 55 })], begun)
    expect(scene.ahead.money).toBe(800)
  })
})

describe('what is heard', () => {
  const tied = [told('card_dealt', { box: 2, card: 'Ah' }), told('card_dealt', { box: 0, card: 'Ad' })]
  test('second cards of the same ranks are told as second cards', () => {
    const first = tied.reduce(step, fromView(aView()))
    const second = tied.reduce(step, first)
    const line = callerLine(aLive(aView({ phase: 'dealing' })), first, 'ana', 2)
    expect(line).toBe('Ace against ace')
    expect([spoken(line, first, 2, false), spoken(line, second, 2, false)]).toEqual(['Ace against ace', 'Second cards: ace against ace'])
    const alone = step(first, told('card_dealt', { box: 0, card: '4c' }))
    expect(spoken('Ace against ace', alone, 2, false)).toBe('Ace against ace')
  })
  test('that a wager on the second card can be put down, until it lies', () => {
    const war = told('war_declared', { player: 'ana', box: 2, amount: 2500 }, 5)
    const shown = step(fromView(aView({ phase: 'deciding' })), war)
    const view = (wagers: Box['wagers']) => aView({ phase: 'war_betting', boxes: [aBox(1), aBox(2, { wagers, open_wagers: ['war_perfect_pairs'] })] })
    expect(ruling(aLive(view([])), shown, [war], 'ana').says).toBe('You go to war with 25 more. Perfect Pairs can be bet on the second card.')
    expect(ruling(aLive(view([['ana', 'war_perfect_pairs', 500]])), shown, [war], 'ana').says).toBe('You go to war with 25 more.')
  })
  test('what one has put down, though the view has gone on to the end of the round', () => {
    const war = told('war_declared', { player: 'ana', box: 2, amount: 2500 }, 5)
    const later = told('wager_placed', { player: 'ana', box: 2, wager: 'war_perfect_pairs', amount: 500 }, 6)
    const shown = fromView(aView({ phase: 'war_betting', boxes: [aBox(1), aBox(2, { wagers: [['ana', 'war', 2500], ['ana', 'war_perfect_pairs', 500]] })] }))
    expect(ruling(aLive(aView()), shown, [war, later], 'ana').says).toBe('Perfect Pairs: 5 down.')
  })
  test('that nobody chose in time', () => {
    const late = told('surrender_ruled', { player: 'ana', box: 2, reason: 'did not decide in time', clauses: ['X-7'] })
    const events = [late, settled('initial', { outcome: 'surrender', returned: 1250, clauses: ['X-6'] })]
    expect(ruling(aLive(aView()), fromView(aView()), events, 'ana')).toMatchObject({
      says: 'Casino War surrendered, 12.50 back. Surrendered for you: did not decide in time.', clauses: ['X-6', 'X-7'],
    })
  })
  test('that the bank is offered, after what the round came to', () => {
    const events = [settled('initial', { outcome: 'lose' }), settled('tie', { amount: 500, outcome: 'lose' }), told('round_ended', { number: 3 })]
    const shown = [...tied, ...events].reduce(step, fromView(aView()))
    const live = aLive(aView({ is_player_banked: true, bank_offered_to: 'ana', can_bank: true }))
    expect(callerLine(live, shown, 'ana', 2)).toBe('The bank is offered')
    expect(ruling(live, shown, events, 'ana').says).toBe('Casino War lost, tie lost. This round came to −30. The bank is offered to you.')
    const taken = aLive(aView({ is_player_banked: true, bank: { player: 'ana', chips: 20_000 } as View['bank'] }))
    expect(callerLine(taken, shown, 'ana', 2)).toBe('You have the bank')
    expect(ruling(taken, shown, events, 'ana').says).toBe('You have the bank with 200. The others bet.')
    const bens = aLive(aView({ is_player_banked: true, bank_offered_to: 'ana', can_bank: false }))
    expect(callerLine(bens, shown, 'ben', 1)).toBe('The player/dealer has ace')
  })
})

describe('an offer of the bank', () => {
  const offered = told('bank_offered', { player: 'ana', clauses: ['X-8'] }, 12)
  const rotated = told('bank_rotated', { player: 'ben', to: 'ana', clauses: ['X-9'] }, 13)
  const lost = settled('initial', { outcome: 'lose', clauses: ['X-1'] })
  const back = told('bank_returned', { player: 'ana', amount: 0, net: -1000, clauses: ['X-2'] })
  const end = told('round_ended', { number: 3 })
  const live = aLive(aView({ is_player_banked: true, can_bank: true }))
  const said = (events: Told[]) => ruling(live, events.reduce(step, fromView(aView())), events, 'ana')
  test.each([[[lost, end], []], [[lost, end, offered], ['X-8']], [[back, end, rotated], ['X-9']], [[offered], ['X-8']], [[], []]])('has its own clauses beside it, and no other: %#', (events, clauses) => {
    expect(said(events).clauses).toEqual(clauses)
  })
  test('leaves room for what one’s own bank came to', () => {
    expect(said([back, end, offered]).says).toBe('Your bank came to −10. The bank is offered to you.')
    expect(said([offered]).says).toContain('It pays winners as far as it covers')
  })
})

describe('who has the bank', () => {
  test('is not asked to bet, and told what lies in it', () => {
    const live = aLive(aView({ is_player_banked: true, bank: { player: 'ana', chips: 30_000 } as View['bank'] }))
    const taken = told('bank_accepted', { player: 'ana', clauses: ['X-3'] })
    const shown = fromView(live.view)
    expect([callerLine(live, shown, 'ana', 2), callerLine(live, shown, 'ben', 1)]).toEqual(['You have the bank', 'Place your bets'])
    expect(ruling(live, shown, [taken], 'ana')).toMatchObject({ says: 'You have the bank with 300. The others bet.', clauses: ['X-3'] })
    expect(ruling(live, shown, [taken], 'ben').says).toBe('Bets are open.')
  })
})

describe('wagers are being settled', () => {
  const cards = [told('card_dealt', { box: 2, card: '9h' }), told('card_dealt', { box: 0, card: '9d' })]
  const begun = cards.reduce(step, fromView(aView({ phase: 'dealing' as View['phase'] })))
  const war = told('war_declared', { player: 'ana', box: 2, amount: 2500 })
  test.each([
    ['not before the first is', [], false],
    ['once one is, and no card is to come', [settled('initial', { outcome: 'lose' })], true],
    ['not while another chooses', [settled('tie', {}), told('war_offered', { box: 1, player: 'ben' })], false],
    ['not while cards of a war are to come', [settled('tie', {}), war], false],
    ['after a war', [settled('tie', {}), war, settled('war', {})], true],
    ['not by results of a round that is over', [settled('initial', {}), told('round_ended', { number: 3 })], false],
  ])('%s', (_, events, is) => {
    expect(isSettling(events.reduce(step, begun))).toBe(is)
  })
})

describe('what plays for less or is paid less', () => {
  const shown = { ...fromView(aView({ phase: 'dealing' as View['phase'] })), isOver: false }
  const live = aLive(aView({ phase: 'dealing' as View['phase'] }))
  test('a wager above the maximum, with the limits, until there is a result', () => {
    const cut = [
      told('wager_limited', { player: 'ana', box: 2, wager: 'initial', placed: 52_500, amount: 50_000, clauses: ['X-1'] }),
      told('limits_advised', { player: 'ana', box: 2, wager: 'initial', limit: { ...limit, maximum: 50_000 }, clauses: ['X-2'] }),
    ]
    expect(ruling(live, shown, cut, 'ana')).toMatchObject({
      says: 'Casino War plays for 500, 25 goes back. The limits of Casino War are 5 to 500.', clauses: ['X-1', 'X-2'],
    })
    expect(ruling(live, shown, cut, 'ben').says).not.toContain('plays for')
    expect(ruling(live, shown, [...cut, settled('initial', { outcome: 'lose' })], 'ana').says).toBe('Casino War lost.')
  })
  test('a wager of which the bank matches a part in a war', () => {
    const cut = told('match_limited', { player: 'ana', box: 2, placed: 2500, amount: 2000, clauses: ['X-3'] })
    expect(ruling(live, shown, [cut], 'ana').says).toBe('Casino War plays for 20, 5 goes back.')
  })
  test('a wager that the bank covers in part, its clauses last first', () => {
    const event = settled('perfect_pairs', { paid: 2000, returned: 2500, odds: '10:1', clauses: ['X-4', 'X-5'] })
    expect(settledWords(event as never, LAYOUT)).toBe('Perfect Pairs paid 20 of 250, all that the bank covers')
    expect(ruling(live, shown, [event], 'ana')).toMatchObject({ clauses: ['X-5', 'X-4'] })
    expect(settledWords({ ...event, paid: 25_000 } as never, LAYOUT)).toBe('Perfect Pairs paid 10 to 1')
  })
  test('a part that the bank does not cover goes back with the result, its clauses last first', () => {
    const cut = told('wager_limited', { player: 'ana', box: 2, wager: 'initial', placed: 5000, amount: 4000, clauses: ['X-6'] }, 8)
    const lost = settled('initial', { amount: 4000, outcome: 'lose', clauses: ['X-4', 'X-6'] })
    expect(ruling(live, shown, [cut, lost], 'ana')).toMatchObject({ says: 'Casino War lost, 10 not covered goes back.', clauses: ['X-6', 'X-4'] })
    const none = settled('perfect_pairs', { outcome: 'returned', returned: 2500, bank_left: 500 })
    expect(settledWords(none as never, LAYOUT)).toBe('Perfect Pairs back, what the bank has left covers none of it')
  })
  test('a primary that is cut before the choice is told though a side wager was paid before', () => {
    const events = [
      settled('perfect_pairs', { paid: 2500, returned: 2500, odds: '1:1' }, 5),
      told('match_limited', { player: 'ana', box: 2, placed: 2500, amount: 2000, clauses: ['X-3'] }, 6),
    ]
    expect(ruling(live, shown, events, 'ana').says).toContain('Casino War plays for 20, 5 goes back.')
  })
  test('odds of half a unit are rounded, and nothing is short', () => {
    expect(settledWords(settled('initial', { amount: 501, paid: 250, returned: 501, odds: '1:2' }) as never, LAYOUT)).toBe('Casino War paid 1 to 2')
  })
})

describe('rulings', () => {
  test('a question keeps its mark', () => {
    expect(sentence('ana ties on box 1: war or surrender?')).toBe('Ana ties on box 1: war or surrender?')
    expect(sentence('everybody has chosen')).toBe('Everybody has chosen.')
  })
  test('what has no sentence is not in the list', () => {
    expect(isTold(told('deal_started', { clauses: ['X-1'] }))).toBe(false)
    expect(isTold(told('card_dealt', { clauses: ['X-1'], says: 'Box 1 receives 9♥' }))).toBe(true)
  })
  test('a stake that is kept is told', () => {
    const words = (returned: number) => settledWords(settled('initial', { odds: '5:1', paid: 12_500, returned }) as never, LAYOUT)
    expect([words(2500), words(0)]).toEqual(['Casino War paid 5 to 1', 'Casino War paid 5 to 1, its stake is kept'])
  })
  test('of several boxes each is named', () => {
    const events = [1, 2].map((box) => settled('initial', { box, outcome: 'lose', clauses: ['X-1'] }))
    expect(ruling(aLive(aView()), fromView(aView()), events, 'ana').says).toBe('Casino War on box 1 lost, Casino War on box 2 lost.')
  })
  test('every wager that is told has a clause in reach', () => {
    const events = ['X-1', 'X-2', 'X-3', 'X-4', 'X-5'].map((clause) => settled('initial', { outcome: 'lose', clauses: [clause, 'X-0'] }))
    expect(ruling(aLive(aView()), fromView(aView()), events, 'ana').clauses).toEqual(['X-1', 'X-2', 'X-3', 'X-4', 'X-5'])
  })
  test('two wagers of one area have each a result', () => {
    const laid = ['perfect_pairs', 'war_perfect_pairs'].map((wager, at) => ({
      player: 'ana', wager, amount: 500, result: { outcome: 'win', paid: at ? 62_500 : 12_500, returned: 500, odds: '25:1', clauses: [`X-${at}`] },
    }))
    const state = areaState(laid, 'perfect_pairs', 'ana', 'ana')
    expect(state.says).toBe('+750')
    expect(state.parts.map((one) => [one.isLater, one.says, one.clauses])).toEqual([[false, '+125', ['X-0']], [true, '+625', ['X-1']]])
    expect(areaState(laid.slice(0, 1), 'perfect_pairs', 'ana', 'ana').parts).toEqual([])
  })
})

test('what came of a war is told as such where the first cards have paid before', () => {
  const before = settled('perfect_pairs', { paid: 12_500, returned: 2500, odds: '5:1' }, 3)
  const after = [settled('initial', { outcome: 'lose' }, 7), settled('war', { outcome: 'lose' }, 8)]
  const war = told('war_declared', { player: 'ana', box: 2, amount: 2500 }, 5)
  const shown = { ...fromView(aView({ boxes: [aBox(1), aBox(2)] })), isOver: true }
  const says = (events: Told[]): string => ruling(aLive(aView()), shown, events, 'ana').says
  expect(says([before, war, ...after])).toBe('After the war: Casino War lost, Go to War lost.')
  expect(says([war, ...after])).toBe('Casino War lost, Go to War lost.')
})

test('a void that waits is told with its round, its longest time and the chips that stay', () => {
  const view = aView()
  const says = (kept: number): string => ruling(aLive(view, { void: { round: 12, left: 500_000, kept } }), fromView(view), [], 'ana').says
  expect(says(0)).toBe('A void of round 12 waits for its second signature: no bets for 9 more minutes at most.')
  expect(says(1000)).toBe('A void of round 12 waits for its second signature: no bets for 9 more minutes at most. 10 of your chips stay here until then.')
})

describe('whom the dealer waits for', () => {
  const seat = (player: string, change: object = {}) => ({ box: 1, player, is_present: true, is_leaving: false, is_ready: false, strategy: null, ...change })
  const seats = [seat('ana'), seat('ben'), seat('cat', { is_ready: true }), seat('dan', { is_present: false }), seat('eve', { is_leaving: true }), seat('bot-wren', { strategy: 'war' })] as never
  test('are those who sit there, are connected and have not said to be ready', () => {
    expect(waitedFor(aLive(aView(), { seats }), 'ana')).toEqual(['ben'])
  })
  test('at a war are those who may still bet on it', () => {
    const boxes = [aBox(1, { is_at_war: true, wagers: [['dan', 'war', 500], ['ana', 'war', 500], ['bot-wren', 'war', 500]] }), aBox(2, { wagers: [['ben', 'initial', 500]] })]
    expect(waitedFor(aLive(aView({ phase: 'war_betting', boxes }), { seats }), 'ana')).toEqual(['dan'])
  })
})

describe('an offer to whoever has never had it', () => {
  function offered(view: Partial<View>, stage = 'dealing') {
    const play = aPlay(aView(view), { seal: { stage, shoe: 's' } as never })
    return { play, sent: vi.spyOn(play.live, 'do') }
  }
  const bank: Partial<View> = { is_player_banked: true, can_bank: true, can_decline_bank: true }
  test('of the cut is passed on with a sentence', async () => {
    const { play, sent } = offered({ cut_offered_to: 'ana' }, 'cutting')
    expect(play.offers.passes).toBe('cut')
    await play.offers.passOn()
    expect(sent.mock.calls.map(([command]) => command.do)).toEqual(['decline_cut'])
    expect(play.notice?.says).toContain('passed on for you')
    expect(play.offers.passes, 'once').toBeNull()
  })
  test('of the bank is declined, once, and what it is is told', async () => {
    const { play, sent } = offered(bank)
    await play.offers.passOn()
    await play.offers.passOn()
    expect(sent.mock.calls.map(([command]) => command.do)).toEqual(['decline_bank'])
    expect(play.notice?.says).toMatch(/pays winners as far as it covers, keeps lost bets, at worst loses its stake/)
  })
  test('stands for whoever has asked for it, or has had it', async () => {
    const { play, sent } = offered({ ...bank, cut_offered_to: 'ana' }, 'nothing_sealed')
    play.offers.wishes.set('cut')
    expect(play.offers.passes).toBeNull()
    play.offers.wishes.set('cut', false)
    await play.offers.cut(60)
    expect(play.offers.passes).toBeNull()
    await play.offers.passOn()
    expect(sent.mock.calls.map(([command]) => command.do)).toEqual(['cut'])
  })
  test('of a cut that anybody may make is for whoever wants to cut, and only the one asked passes it on', () => {
    const { play } = offered({ cut_offered_to: 'ben', can_cut: true }, 'cutting')
    expect(play.offers.passes).toBeNull()
    expect(play.offers.isCut).toBe(false)
    play.offers.wishes.set('cut')
    expect(play.offers.isCut).toBe(true)
    expect(play.offers.isAskedToCut).toBe(false)
  })
  test('goes to nobody who only watches', () => {
    const play = aPlay(aView(bank), { seats: [] })
    expect(play.offers.passes).toBeNull()
  })
})
