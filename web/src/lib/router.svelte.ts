// Which page is shown. Addresses are paths; the server gives out the same document for all of them.

export interface Route {
  page: string
  parts: string[]
}

/** A part that somebody mistyped, such as "100%", stays as it stands: the page that it leads to says what is wrong. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function parse(path: string): Route {
  const [page = '', ...parts] = path.split('/').filter(Boolean).map(decoded)
  return { page, parts }
}

export const router = $state<{ route: Route }>({ route: parse(location.pathname) })

export function go(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  router.route = parse(location.pathname)
  scrollTo(0, 0)
}

addEventListener('popstate', () => {
  router.route = parse(location.pathname)
})

/** Links of our own pages change the page without a new document. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element | null)?.closest('a')
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api/') || link.hash) return
  event.preventDefault()
  go(link.pathname + link.search)
}
