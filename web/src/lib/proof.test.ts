import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesToHex, concatBytes, hexToBytes, isCardProved, rootOfPath, utf8ToBytes, wholeNumber } from './proof'
import { shoeWatch } from './proof.svelte'

// The tree again, by the words of RFC 6962: from the whole list of leaves, where the page knows one path.
const sha = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(createHash('sha256').update(concatBytes(...parts)).digest())
const leafOf = (data: Uint8Array): Uint8Array => sha(Uint8Array.of(0), data)
const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha(Uint8Array.of(1), left, right)
const split = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1)
function rootOf(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leafOf(leaves[0]!)
  const at = split(leaves.length)
  return nodeOf(rootOf(leaves.slice(0, at)), rootOf(leaves.slice(at)))
}
function pathOf(leaves: Uint8Array[], index: number): string[] {
  if (leaves.length === 1) return []
  const at = split(leaves.length)
  const [left, right] = [leaves.slice(0, at), leaves.slice(at)]
  return index < at ? [...pathOf(left, index), bytesToHex(rootOf(right))] : [...pathOf(right, index - at), bytesToHex(rootOf(left))]
}

const CARDS = ['As', 'Kd', '9h', '9c', '2s', 'Td', '7c']
const salts = CARDS.map((_, at) => bytesToHex(sha(Uint8Array.of(at))))
const leaves = CARDS.map((card, at) => concatBytes(wholeNumber(at, 4), utf8ToBytes(card), hexToBytes(salts[at]!)))
const root = bytesToHex(rootOf(leaves))
const shown = (at: number, card = CARDS[at]!) => ({ shoe: 'nz/1', place: at, index: at, card, salt: salts[at]!, path: pathOf(leaves, at) })

describe('a card against the root of its shoe', () => {
  it('is proved at every place of trees of every size up to seven', () => {
    for (let size = 1; size <= leaves.length; size++) {
      const some = leaves.slice(0, size)
      for (let at = 0; at < size; at++) expect(rootOfPath(some[at]!, at, size, pathOf(some, at))).toBe(bytesToHex(rootOf(some)))
    }
    for (let at = 0; at < CARDS.length; at++) expect(isCardProved(shown(at), CARDS.length, root)).toBe(true)
  })
  it('is not proved with another face, place, salt or a path that is too short or too long', () => {
    const good = shown(2)
    expect(isCardProved({ ...good, card: '9d' }, CARDS.length, root)).toBe(false)
    expect(isCardProved({ ...good, index: 3 }, CARDS.length, root)).toBe(false)
    expect(isCardProved({ ...good, salt: salts[3]! }, CARDS.length, root)).toBe(false)
    expect(isCardProved({ ...good, path: good.path.slice(1) }, CARDS.length, root)).toBe(false)
    expect(isCardProved({ ...good, path: [...good.path, root] }, CARDS.length, root)).toBe(false)
    expect(rootOfPath(leaves[0]!, 7, 7, [])).toBeNull()
  })
})

describe('what this browser has noted of a shoe', () => {
  const seal = (more: object) => ({ stage: 'dealing', shoe: 'nz/1', cards: 7, commitment: null, root, seal: null, cut_bounds: null, cut: null, says: '', ...more }) as never

  const dealt = (...cards: (string | null)[]) => cards.map((card) => ({ name: card === null ? 'card_burned' : 'card_dealt', card }))
  const watching = () => {
    const watch = shoeWatch()
    watch.see(seal({ root: null, stage: 'promising' }))
    watch.see(seal({}))
    return watch
  }

  it('counts the cards that are the sealed ones, each at its place', () => {
    const watch = watching()
    watch.check(dealt('As', 'Kd', null), [shown(0), shown(1)], ['As', 'Kd'])
    watch.check(dealt('9c'), [shown(3)], ['As', 'Kd', '9c'])
    expect([watch.checked, watch.wrong, watch.isFromStart]).toEqual([3, [], true])
  })
  it.each([
    ['another face than the one that is proved', dealt('Ac'), [shown(0)], []],
    ['no proof at all', dealt('As'), [], []],
    ['the proof of another face', dealt('2c'), [shown(0, '2c')], []],
    ['the proof of another shoe', dealt('As'), [{ ...shown(0), shoe: 'nz/9' }], []],
    ['a card of the shoe out of its turn', dealt('9c'), [shown(3)], []],
    ['another card on the felt than the one that came', dealt('As'), [shown(0)], ['Ac']],
    ['a card on the felt that never came', [], [], ['Ac']],
  ])('does not take %s', (_, events, proofs, lying) => {
    const watch = watching()
    watch.check(events, proofs, lying)
    expect(watch.wrong.length).toBe(1)
  })
  it('takes a card on the felt twice only where it came twice', () => {
    const watch = watching()
    watch.check(dealt('As'), [shown(0)], ['As', 'As'])
    expect(watch.wrong).toEqual(['As'])
  })
  it('holds the place against the cut, and counts cards that went back', () => {
    const watch = watching()
    watch.see(seal({ cut: 2 }))
    watch.check(dealt('9h'), [{ ...shown(2), place: 0 }], [])
    watch.check([{ name: 'cards_returned', cards: 1 } as never, ...dealt('9h')], [{ ...shown(2), place: 0 }], [])
    expect([watch.checked, watch.wrong]).toEqual([2, []])
    watch.check(dealt('Kd'), [shown(1)], [])
    expect(watch.wrong).toEqual(['Kd'])
  })
  it('knows nothing of cards that lay there when it came, and takes the next at any place', () => {
    const watch = shoeWatch()
    watch.see(seal({}), false, ['As'])
    watch.check(dealt('9h'), [shown(2)], ['As', '9h'])
    expect([watch.checked, watch.wrong, watch.isFromStart]).toEqual([1, [], false])
    watch.check(dealt('2s'), [shown(4)], ['As', '9h', '2s'])
    expect(watch.wrong).toEqual(['2s'])
  })
  it('keeps what it saw of a shoe for when it is opened: the first seal, its own entropy, each face at its place', () => {
    const watch = watching()
    watch.add('ee')
    watch.see(seal({ commitment: 'c1', seal: 's1' }))
    watch.see(seal({ commitment: 'c2', seal: 's2', root: 'ff' }))
    watch.check(dealt('As', null, '9h'), [shown(0), shown(2)], [])
    watch.see(seal({ shoe: 'nz/2', root: null }))
    expect(watch.noted('nz/1')).toEqual({ commitment: 'c1', seal: 's1', root, entropy: 'ee', faces: new Map([[0, 'As'], [2, '9h']]) })
    expect(watch.noted('nz/3')).toBeUndefined()
  })
  it('keeps the first root that it saw, whatever is told later', () => {
    const watch = shoeWatch()
    watch.see(seal({}))
    watch.see(seal({ root: 'ff'.repeat(32) }))
    expect(watch.root).toBe(root)
  })
  it('is there from the start where it saw the root before any card left the shoe', () => {
    const early = shoeWatch()
    early.see(seal({}), true)
    expect(early.isFromStart).toBe(true)
    const late = shoeWatch()
    late.see(seal({}), false)
    expect(late.isFromStart).toBe(false)
    late.see(seal({ shoe: 'nz/2', root: null }))
    expect(late.isFromStart).toBe(true)
  })
})
