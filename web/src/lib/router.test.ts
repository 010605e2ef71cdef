import { beforeEach, describe, expect, it, vi } from 'vitest'

const ORIGIN = 'http://house.test'

/** A window as far as the router knows one: an address, a history behind it, and who listens for its buttons. */
class Window {
  entries: string[]
  at = 0
  scrolled = 0
  private listeners: (() => void)[] = []

  constructor(path: string) {
    this.entries = [path]
    const url = (): URL => new URL(this.entries[this.at]!, ORIGIN)
    vi.stubGlobal('location', { origin: ORIGIN, get pathname() { return url().pathname } })
    vi.stubGlobal('history', {
      pushState: (_: unknown, __: string, to: string) => {
        this.entries = [...this.entries.slice(0, ++this.at), to]
      },
      replaceState: (_: unknown, __: string, to: string) => {
        this.entries[this.at] = to
      },
    })
    vi.stubGlobal('addEventListener', (_: string, listener: () => void) => this.listeners.push(listener))
    vi.stubGlobal('scrollTo', () => (this.scrolled += 1))
  }

  walk(by: number): void {
    this.at += by
    for (const listener of this.listeners) listener()
  }
}

async function opened(path: string) {
  const seen = new Window(path)
  vi.resetModules()
  return { seen, ...(await import('./router.svelte')) }
}

/** A click on something inside a link, told as the document hears it. */
function click(href: string, more: { attributes?: string[]; target?: string; event?: object } = {}) {
  const { attributes = [], target = '', event = {} } = more
  const url = new URL(href, ORIGIN)
  const { origin, pathname, search, hash } = url
  const link = { origin, pathname, search, hash, target, hasAttribute: (name: string) => attributes.includes(name) }
  const preventDefault = vi.fn()
  return {
    told: { button: 0, target: { closest: () => link }, preventDefault, ...event } as unknown as MouseEvent,
    preventDefault,
  }
}

beforeEach(() => vi.unstubAllGlobals())

describe('an address', () => {
  it.each([
    ['/', '', []],
    ['/odds', 'odds', []],
    ['/table/nz/3', 'table', ['nz', '3']],
    ['/odds/nz/payout.tie.on_win=11:1', 'odds', ['nz', 'payout.tie.on_win=11:1']],
    ['/replay/a%20b/1/', 'replay', ['a b', '1']],
    ['/table/a%2Fb', 'table', ['a/b']],
  ])('%s is a page and its parts', async (path, page, parts) => {
    const { router } = await opened(path)
    expect(router.route).toEqual({ page, parts })
  })

  it('that cannot be decoded is taken as it stands', async () => {
    const { router } = await opened('/table/100%')
    expect(router.route).toEqual({ page: 'table', parts: ['100%'] })
  })
})

describe('going somewhere', () => {
  it('is a step of the history, from its top, and the back button undoes it', async () => {
    const { seen, router, go } = await opened('/')
    go('/rules/wa')
    expect(seen.entries).toEqual(['/', '/rules/wa'])
    expect(router.route).toEqual({ page: 'rules', parts: ['wa'] })
    expect(seen.scrolled).toBe(1)
    seen.walk(-1)
    expect(router.route.page).toBe('')
    seen.walk(1)
    expect(router.route.page).toBe('rules')
  })

  it('instead of where one was leaves no step behind', async () => {
    const { seen, router, go } = await opened('/me')
    go('/table/nz', { replace: true })
    expect(seen.entries).toEqual(['/table/nz'])
    expect(router.route).toEqual({ page: 'table', parts: ['nz'] })
  })
})

describe('a link', () => {
  it('of our own pages loads no new document', async () => {
    const { seen, router, followLinks } = await opened('/')
    const { told, preventDefault } = click('/replay/nz/7?from=me')
    followLinks(told)
    expect(preventDefault).toHaveBeenCalledOnce()
    expect(seen.entries.at(-1)).toBe('/replay/nz/7?from=me')
    expect(router.route).toEqual({ page: 'replay', parts: ['nz', '7'] })
  })

  it.each([
    ['to another house', click('http://elsewhere.test/odds')],
    ['to the interface', click('/api/par?rulebook=nz')],
    ['to a place on this page', click('/rules/nz#NZ-5.1')],
    ['that is a download', click('/odds', { attributes: ['download'] })],
    ['for another window', click('/odds', { target: '_blank' })],
    ['under another button', click('/odds', { event: { button: 1 } })],
    ['with a key held down', click('/odds', { event: { ctrlKey: true } })],
    ['saved with a key held down', click('/odds', { event: { altKey: true } })],
    ['that somebody else has taken', click('/odds', { event: { defaultPrevented: true } })],
  ])('%s is left to the browser', async (_, { told, preventDefault }) => {
    const { seen, followLinks } = await opened('/')
    followLinks(told)
    expect(preventDefault).not.toHaveBeenCalled()
    expect(seen.entries).toEqual(['/'])
  })

  it('is only what was clicked on a link', async () => {
    const { seen, followLinks } = await opened('/')
    followLinks({ button: 0, target: { closest: () => null }, preventDefault: vi.fn() } as unknown as MouseEvent)
    expect(seen.entries).toEqual(['/'])
  })
})
