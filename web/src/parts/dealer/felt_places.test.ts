import { expect, test } from 'vitest'
import { cardWidth, PAIR, placesOf, type Place } from './felt_places'

type Corner = [number, number]

/** The corners of the room that two cards of a hand take. */
function hand({ x, y, turn }: Place, width: number): Corner[] {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)]
  const [half, high] = [(width * PAIR) / 2, width * 0.7]
  return ([[-half, -high], [half, -high], [half, high], [-half, high]] as Corner[]).map(([u, v]) => [x + u * cos - v * sin, y + u * sin + v * cos])
}

/** Whether some line lies between two rectangles. */
function areApart(one: Corner[], other: Corner[]): boolean {
  return [one, other].some((shape) =>
    shape.some(([x, y], at) => {
      const [nextX, nextY] = shape[(at + 1) % 4]!
      const along = ([px, py]: Corner): number => px * (nextY - y) - py * (nextX - x)
      const [a, b] = [one.map(along), other.map(along)]
      return Math.max(...a) < Math.min(...b) || Math.max(...b) < Math.min(...a)
    }),
  )
}

test.each([2, 3, 4, 5, 6, 7, 8])('with %i boxes all at war every card lies clear of the next box', (count) => {
  const places = placesOf(count)
  const hands = places.map((place) => hand(place, cardWidth(places)))
  for (const [at, one] of hands.entries()) {
    for (const other of hands.slice(at + 1)) expect(areApart(one, other)).toBe(true)
  }
})

test.each([7, 8])('with %i boxes the hands lie on the cloth and above shoe and rack', (count) => {
  const places = placesOf(count)
  for (const [x, y] of places.flatMap((place) => hand(place, cardWidth(places)))) {
    expect(((x - 340) / 310) ** 2 + (Math.min(0, y - 208) / 186) ** 2).toBeLessThan(1)
    expect(y).toBeLessThan(258)
  }
})

test('box 1 lies at the left and the places mirror each other', () => {
  const places = placesOf(7)
  expect(places[0]!.x + places[6]!.x).toBeCloseTo(680, 0)
  expect(places[3]!.x).toBeCloseTo(340, 0)
  expect(cardWidth(placesOf(1))).toBe(cardWidth(placesOf(2)))
})
