// What is wrong with the table in this window, in words; an empty list where nothing is. `own` is the looker's box.
([own, isSeen]) => {
  const wrong = []
  const page = document.querySelector('.table-page')
  const dock = document.querySelector('section.dock')
  const felt = document.querySelector('svg[aria-label="The table"]')
  const named = (one) => one.getAttribute('aria-label') ?? one.textContent.trim().replace(/\s+/g, ' ')
  const { width, height } = visualViewport
  const isWithin = (box, out = { left: 0, top: 0, right: width, bottom: height }) =>
    box.left >= out.left - 0.5 && box.top >= out.top - 0.5 && box.right <= out.right + 0.5 && box.bottom <= out.bottom + 0.5
  const isShown = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility !== 'hidden'
  const isUncovered = (one, box = one.getBoundingClientRect()) => {
    const found = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    return found !== null && (one.contains(found) || found.contains(one))
  }

  const { scrollWidth, scrollHeight } = document.documentElement
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) wrong.push(`the page scrolls: ${scrollWidth} x ${scrollHeight}`)
  if (scrollX || scrollY) wrong.push('the page has been scrolled')

  // What can be done is seen whole, and under nothing else.
  for (const one of [...dock.querySelectorAll('button, input')].filter(isShown)) {
    const box = one.getBoundingClientRect()
    if (!isWithin(box)) wrong.push(`${named(one)}: not in the window`)
    else if (!isUncovered(one)) wrong.push(`${named(one)}: covered`)
    if (box.width < 43.5 || box.height < 43.5) wrong.push(`${named(one)}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`)
    if (one.scrollWidth > one.clientWidth + 1) wrong.push(`${named(one)}: wider than its button`)
  }
  for (const title of dock.querySelectorAll('button.act .title')) {
    const [line, button] = [title.getBoundingClientRect(), title.closest('button').getBoundingClientRect()]
    if (!isWithin(line, button)) wrong.push(`${title.textContent}: out of its act`)
  }
  for (const one of [...page.querySelectorAll('button, a[href], input, [role=button], [role=radio]')].filter(isShown)) {
    const box = one.getBoundingClientRect()
    if (box.width < 24 || box.height < 24) wrong.push(`${named(one)}: only ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`)
  }

  // No letter is smaller than 11 pixels, on the felt or beside it.
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement
    if (!walker.currentNode.data.trim() || one.closest('svg, .visually-hidden') || !isShown(one)) continue
    const size = parseFloat(getComputedStyle(one).fontSize)
    if (size < 11) wrong.push(`${one.textContent.trim()}: ${size} pixels`)
  }

  // Never given up: the dealer's card, the caller, one's own card and spots.
  const frame = felt.parentElement.getBoundingClientRect()
  const cards = (name) => [...felt.querySelectorAll(`[role=img][aria-label="${name}"]`)]
  const large = (found) => found.toSorted((a, b) => b.getBoundingClientRect().width - a.getBoundingClientRect().width)[0]
  const kept = [
    ['the caller', felt.querySelector('text.caller')],
    ...[...felt.querySelectorAll(`[data-wager][data-box="${own}"] .ring`)].map((one) => ['a spot', one]),
    ...isSeen.map((name) => [name, large(cards(name))]),
  ]
  if (kept.filter(([what]) => what === 'a spot').length < 2) wrong.push('no spots of one’s own')
  for (const [what, one] of kept) {
    const box = one?.getBoundingClientRect()
    if (!box) wrong.push(`${what}: not there`)
    else if (!isWithin(box) || !isWithin(box, frame)) wrong.push(`${what}: not on the felt that is seen`)
    else if (!felt.contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2))) wrong.push(`${what}: covered`)
  }
  return [...new Set(wrong)]
}
