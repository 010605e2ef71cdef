// The vectors that every verifier shares: each shoe agrees, and each twin is found wrong exactly where they say.

import { expect, test } from 'vitest'
import vectors from '../../../tests/vectors/sealed_shoe.json'
import { bytesToHex } from './proof'
import { checkShoe, mixOf, orderOf, sealOf, type ExportedShoe } from './shoe_check'

type Change = [(string | number)[], unknown]
interface Vector {
  name: string
  mix: string
  seal: string | null
  order: string
  export: ExportedShoe
}
const shoes = vectors.shoes as unknown as Vector[]
const twins = vectors.twins as unknown as { name: string; of: string; changes: Change[]; where: string[] }[]

function changed(shoe: ExportedShoe, changes: Change[]): ExportedShoe {
  const twin = structuredClone(shoe)
  for (const [path, value] of changes) {
    let inner = twin as unknown as Record<string | number, unknown>
    for (const name of path.slice(0, -1)) inner = inner[name] as Record<string | number, unknown>
    inner[path.at(-1)!] = value
  }
  return twin
}

test.each(shoes)('shoe $name agrees', (shoe) => {
  expect(checkShoe(shoe.export, { seal: shoe.seal })).toEqual([])
  expect(bytesToHex(mixOf(shoe.export))).toBe(shoe.mix)
  if (shoe.seal) expect(sealOf(shoe.export)).toBe(shoe.seal)
  if (shoe.export.seed && shoe.order) expect(orderOf(shoe.export).join(' ')).toBe(shoe.order)
})

test.each(twins)('twin: $name', ({ of, changes, where }) => {
  const shoe = shoes.find((one) => one.name === of)!
  const found = checkShoe(changed(shoe.export, changes)).map((finding) => finding.where)
  expect(new Set(found)).toEqual(new Set(where))
})

test('what was noted at the table is held against the file', () => {
  const shoe = shoes[0]!.export
  expect(checkShoe(shoe, { root: '00'.repeat(32) }).map((one) => one.where)).toEqual(['root'])
  expect(checkShoe(shoe, { entropy: '00'.repeat(32) }).map((one) => one.where)).toEqual(['entropy'])
  expect(checkShoe(shoe, { entropy: shoe.entropy[0]!.bytes })).toEqual([])
  const numbered = shoes.find((one) => one.name === 'numbered')!.export
  expect(checkShoe(numbered, { marker: 4 })).toEqual([])
  expect(checkShoe(numbered, { marker: 6 }).map((one) => one.where)).toEqual(['marker'])
})
