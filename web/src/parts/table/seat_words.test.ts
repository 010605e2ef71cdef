import { describe, expect, it } from 'vitest'
import type { LiveView } from '../../lib/wire'
import { tt } from '../../texts/en_table'
import { freeSeat, isSeatKept, seatInvites, seatSays } from './seat_words'

const view = (changed: Partial<LiveView>): LiveView =>
  ({ seats: [{ box: 1, player: 'ana' }], view: { boxes: [{ box: 1 }, { box: 2 }] }, waiting: 0, claim: null, seat_left: null, ...changed }) as unknown as LiveView
const given = { version: 9, at: 0, name: 'seat_given_up', player: 'ben' }

describe('what is said of seats', () => {
  it('tells a player whose seat is wanted, and nobody else', () => {
    expect(seatSays(view({ seat_left: 30_000 }), [], 'ana')).toBe(tt.seatWanted)
    expect(seatSays(view({}), [], 'ana')).toBeNull()
  })
  it('tells who waits, and for whom a seat is kept', () => {
    expect(seatSays(view({ claim: { place: 2, left: null } }), [], 'ben')).toBe(tt.youWaitSays)
    expect(seatSays(view({ claim: { place: 0, left: 9_000 } }), [], 'ben')).toBe(tt.seatKeptSays)
  })
  it('tells why a seat was lost until another is taken', () => {
    expect(seatSays(view({}), [given], 'ben')).toBe(tt.seatGivenUp)
    expect(seatSays(view({}), [given, { version: 10, at: 0, name: 'player_seated', player: 'ben' }], 'ben')).toBeNull()
    expect(seatSays(view({}), [given], 'cat')).toBeNull()
  })
  it('says the same of seats on the felt and in the dock', () => {
    const full = [{ box: 1, player: 'ana' }, { box: 2, player: 'cat' }] as LiveView['seats']
    expect(seatInvites(view({}))).toBe('Take a free seat to play, or watch.')
    expect(seatInvites(view({ seats: full }))).toBe('Every seat is taken.')
    expect(seatInvites(view({ seats: full, waiting: 1 }))).toBe('Every seat is taken.')
    expect([isSeatKept(view({ waiting: 1 })), seatInvites(view({ waiting: 1 }))]).toEqual([true, 'The free seat is kept.'])
    expect(seatInvites(view({ waiting: 1, claim: { place: 0, left: 9_000 } }))).toBe('Take a free seat to play, or watch.')
  })
  it('offers no seat that is kept for others', () => {
    expect(freeSeat(view({}))).toBe(2)
    expect(freeSeat(view({ waiting: 1 }))).toBeNull()
    expect(freeSeat(view({ waiting: 1, claim: { place: 0, left: 9_000 } }))).toBe(2)
  })
})
