// English. Short, sentence case, the dealer's voice: no luck, no urging, no praise.

import { SILENT } from '../lib/wire'

export const en = {
  close: 'Close',
  skip: 'Skip to the content',
  loading: 'One moment.',
  balance: 'Balance',
  ranks: {
    A: 'ace', K: 'king', Q: 'queen', J: 'jack', T: 'ten', '9': 'nine', '8': 'eight',
    '7': 'seven', '6': 'six', '5': 'five', '4': 'four', '3': 'three', '2': 'two',
  } as Record<string, string>,
  suits: { h: 'hearts', d: 'diamonds', s: 'spades', c: 'clubs' } as Record<string, string>,
  card: (rank: string, suit: string) => `${rank} of ${suit}`,
  clause: (id: string) => `Clause ${id}: what it says`,
  silent: SILENT,
  nav: {
    label: 'Pages',
    tables: 'Tables',
    rulebooks: 'Rulebooks',
    odds: 'Odds',
    replays: 'Replays',
    pit: 'Pit',
    signIn: 'Sign in',
    you: 'You',
  },
  theme: {
    system: 'Colours as the system has them: change to light',
    light: 'Light colours: change to dark',
    dark: 'Dark colours: change to those of the system',
  },
  lost: 'The connection is lost. The table keeps your wagers; this page comes back by itself.',
  sessionGone: 'Your session has ended.',
  beginAnew: 'Begin anew',
  unreachable: 'The server cannot be reached. Your chips are safe there.',
  noCookies: 'This browser keeps no cookies, and the table needs one.',
  notLoaded: 'This page has not come from the server. It is asked for again by itself.',
  loadAnew: 'Load it anew',
  notFound: 'There is nothing at this address.',
  noTable: 'There is no table of this name.',
  toTables: 'All tables',
}
