import { expect, test } from 'vitest'
import { clausesOf, saysOf, type Preview } from './preview'

const reversed = (box: number, says: string): Preview['events'][number] => ({ name: 'wager_reversed', box, says, clauses: ['X-1'] })

test('what is void is told box by box, and no placeholder for a reason', () => {
  const shown: Preview = {
    events: [
      reversed(4, 'four'),
      reversed(1, 'one'),
      { name: 'cards_collected', says: 'To the rack' },
      reversed(2, 'two'),
      { name: 'round_voided', says: 'All hands are void, by operator olga and a second person: …', clauses: ['X-2'] },
    ],
    refused: null,
  }
  expect(saysOf(shown)).toEqual(['one', 'four', 'To the rack', 'two', 'All hands are void, by operator olga and a second person'])
  expect(clausesOf(shown)).toEqual(['X-1', 'X-2'])
})
