// English. Short, sentence case, the dealer's voice: no luck, no urging, no praise.

export const en = {
  close: 'Close',
  loading: 'One moment.',
  balance: 'Balance',
  nav: {
    label: 'Pages',
    tables: 'Tables',
    rulebooks: 'Rulebooks',
    odds: 'Odds',
    replays: 'Replays',
    pit: 'Pit',
    signIn: 'Sign in',
  },
  theme: {
    system: 'Colours as the system has them: change to light',
    light: 'Light colours: change to dark',
    dark: 'Dark colours: change to those of the system',
  },
  lost: 'The connection is lost. The table keeps your wagers; this page comes back by itself.',
  sessionGone: 'Your session has ended.',
  beginAnew: 'Begin anew',
  notFound: 'There is nothing at this address.',
  noTable: 'There is no table of this name.',
  toTables: 'All tables',
}
