// The sealed shoe, checked in the page by its own arithmetic: no browser service is needed, so plain HTTP will do.
// The bytes are those of docs/fairness.md.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { CardShown } from './wire'

const DOMAIN = 'casinowar-shoe/1'

export function wholeNumber(value: number, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes)
  for (let at = bytes - 1, left = value; at >= 0; at--, left = Math.floor(left / 256)) out[at] = left % 256
  return out
}

export function tagged(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const framed = parts.flatMap((part) => [wholeNumber(part.length, 4), part])
  return sha256(concatBytes(utf8ToBytes(`${DOMAIN} ${tag}`), new Uint8Array(1), ...framed))
}

/** What a seat binds itself to before anybody shows entropy. */
export function promise(commitment: string, seat: number, entropy: string): string {
  return bytesToHex(tagged('promise', hexToBytes(commitment), wholeNumber(seat, 2), hexToBytes(entropy)))
}

function leafDigest(data: Uint8Array): Uint8Array {
  return sha256(concatBytes(new Uint8Array([0]), data))
}

function nodeDigest(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(new Uint8Array([1]), left, right))
}

/** The root to which a path leads from the leaf at `index` of a tree of `size`; null where no such path exists. */
export function rootOfPath(data: Uint8Array, index: number, size: number, path: string[]): string | null {
  if (!(index >= 0 && index < size)) return null
  const siblings = path.map(hexToBytes)
  let digest = leafDigest(data)
  for (let last = size - 1, at = index; last > 0; last >>= 1, at >>= 1) {
    if (at & 1 || at < last) {
      const sibling = siblings.shift()
      if (!sibling) return null
      digest = at & 1 ? nodeDigest(sibling, digest) : nodeDigest(digest, sibling)
    }
  }
  return siblings.length ? null : bytesToHex(digest)
}

/** Whether a card that was turned is the one at that place of the sealed shoe with this root. */
export function isCardProved(shown: CardShown, size: number, root: string): boolean {
  const leaf = concatBytes(wholeNumber(shown.index, 4), utf8ToBytes(shown.card), hexToBytes(shown.salt))
  return rootOfPath(leaf, shown.index, size, shown.path) === root
}

export function randomHex(bytes: number): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)))
}

export { bytesToHex, concatBytes, hexToBytes, hmac, sha256, utf8ToBytes, leafDigest, nodeDigest }
