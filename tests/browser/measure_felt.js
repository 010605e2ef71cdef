// What is wrong with the felt that is on screen, in words; an empty list where nothing is. In a small window names may
// touch the rail.
(isRoomy) => {
  const felt = document.querySelector('svg[aria-label^="The table"]')
  const wrong = []
  const all = (selector) => [...felt.querySelectorAll(selector)]

  // Inter and EB Garamond, which the art direction is drawn with, are 0.535 and 0.42 of their size wide on the average.
  // Texts have to hold with letters 15 % wider than that; those of this machine may be so by themselves.
  const brush = document.createElement('canvas').getContext('2d')
  const widened = (one, usual) => {
    brush.font = `100px ${getComputedStyle(one).fontFamily}`
    return Math.max(1, (1.15 * usual * 2600) / brush.measureText('abcdefghijklmnopqrstuvwxyz').width)
  }
  const wider = widened(felt.querySelector('[data-label] text, text.number, text.own'), 0.535)
  const boxOf = (one, factor = 1) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const more = ((right - left) * (factor - 1)) / 2
    return { left: left - more, right: right + more, top, bottom }
  }
  /** The letters of a line take less than its box, above and below. */
  const letters = (one) => {
    const box = boxOf(one, wider)
    const cut = (box.bottom - box.top) * 0.16
    return { ...box, top: box.top + cut, bottom: box.bottom - cut }
  }
  const BY = 0.5
  const areApart = (a, b) => a.left >= b.right - BY || b.left >= a.right - BY || a.top >= b.bottom - BY || b.top >= a.bottom - BY
  const holds = (out, one) =>
    one.left >= out.left - BY && one.right <= out.right + BY && one.top >= out.top - BY && one.bottom <= out.bottom + BY

  // Every text is at least 11 pixels high, on the felt, and over no other.
  const texts = all('text').filter((one) => one.textContent.trim() && one.getBoundingClientRect().width > 0)
  for (const text of texts) {
    const { a, b } = text.getScreenCTM()
    const pixels = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b)
    if (pixels < 11) wrong.push(`${text.textContent}: ${pixels.toFixed(2)} pixels`)
    const isArc = text.querySelector('textPath') !== null
    if (!isArc && !holds(boxOf(felt), boxOf(text, wider))) wrong.push(`${text.textContent}: beyond the felt`)
  }
  const lines = texts.filter((one) => !one.querySelector('textPath') && !one.closest('.stack') && !one.matches('.value'))
  lines.forEach((one, at) => {
    for (const other of lines.slice(at + 1)) {
      if (!areApart(letters(one), letters(other))) wrong.push(`${one.textContent} over ${other.textContent}`)
    }
  })
  for (const path of all('textPath')) {
    const arc = document.querySelector(path.getAttribute('href'))
    const length = path.parentNode.getComputedTextLength() * widened(path, 0.42)
    if (length > arc.getTotalLength()) wrong.push(`${path.textContent}: longer than its arc`)
  }

  // What is printed in a ring is within it.
  for (const spot of all('.spot')) {
    const ring = boxOf(spot.querySelector('.ring'))
    for (const text of spot.querySelectorAll('text.name, text.odds')) {
      if (!holds(ring, boxOf(text, wider))) wrong.push(`${text.textContent}: out of its ring`)
    }
  }

  // No ring, square or number is over another, of the same box or of its neighbour, nor over a name.
  const rings = all('.spot .ring, .one, .bank-ring, circle.number').map((one) => ({
    ...boxOf(one),
    one,
    isRound: one.tagName === 'circle',
    name: `${one.classList[0]} of box ${one.closest('[data-place]')?.dataset.place ?? ''} ${one.closest('.spot')?.textContent.trim() ?? ''}`,
  }))
  const middle = (one) => ({ x: (one.left + one.right) / 2, y: (one.top + one.bottom) / 2 })
  const radius = (one) => (one.right - one.left) / 2
  const clash = (a, b) => {
    if (a.isRound && b.isRound) {
      return Math.hypot(middle(a).x - middle(b).x, middle(a).y - middle(b).y) < radius(a) + radius(b) - 1
    }
    const [square, ring] = a.isRound ? [b, a] : [a, b]
    if (!ring.isRound) return !areApart(a, b)
    const { x, y } = middle(ring)
    const beside = Math.max(square.left - x, 0, x - square.right)
    const above = Math.max(square.top - y, 0, y - square.bottom)
    return Math.hypot(beside, above) < radius(ring) - 1
  }
  rings.forEach((one, at) => {
    for (const other of rings.slice(at + 1)) if (clash(one, other)) wrong.push(`${one.name} over ${other.name}`)
  })
  for (const label of all('[data-label] text.name')) {
    const name = { ...letters(label), isRound: false }
    for (const ring of rings) {
      if (!label.parentNode.contains(ring.one) && clash(name, ring)) wrong.push(`${label.textContent} over ${ring.name}`)
    }
    for (const pill of all('.pill rect')) {
      if (!areApart(name, boxOf(pill))) wrong.push(`${label.textContent} over ${pill.parentNode.textContent}`)
    }
  }

  // Who sits where is written on the cloth, not on the rail.
  const cloth = felt.querySelector('path.felt')
  const isOnCloth = (x, y) => cloth.isPointInFill(new DOMPoint(x, y).matrixTransform(cloth.getScreenCTM().inverse()))
  for (const label of cloth && isRoomy ? all('[data-label]') : []) {
    const boxes = [letters(label.querySelector('text.name')), boxOf(label.querySelector('circle.number'))]
    const corners = boxes.flatMap((one, at) =>
      [one.left, one.right].map((x) => [x, at ? (one.top + one.bottom) / 2 : one.bottom]),
    )
    if (!corners.every(([x, y]) => isOnCloth(x, y))) wrong.push(`${label.textContent}: on the rail`)
  }
  return [...new Set(wrong)]
}
