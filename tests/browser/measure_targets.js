/* Everything that can be pressed and has less than 24 by 24 pixels to be hit. A link within a sentence is excepted, as in
   WCAG 2.5.8; a target that only looks smaller is tried with points at its edges. */
() => {
  const half = 11.5
  const targets = [...document.querySelectorAll('a[href], button, input, select, textarea, [role="button"], [role="radio"]')]
  const isShown = (one) => one.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }) && !one.closest('.visually-hidden')
  const isInText = (one) =>
    one.tagName === 'A' && getComputedStyle(one).display === 'inline' && one.parentElement.textContent.trim() !== one.textContent.trim()
  const isLarge = (one) => {
    const label = one.closest('label')
    const { width, height } = (label ?? one).getBoundingClientRect()
    if (width >= 24 && height >= 24) return true
    one.scrollIntoView({ block: 'center', inline: 'center' })
    const { x, y, width: wide, height: high } = one.getBoundingClientRect()
    const [middle, centre] = [x + wide / 2, y + high / 2]
    return [[-half, 0], [half, 0], [0, -half], [0, half]].every(([right, down]) => {
      const hit = document.elementFromPoint(middle + right, centre + down)
      return hit !== null && one.contains(hit)
    })
  }
  const told = (one) => {
    const { width, height } = one.getBoundingClientRect()
    return `${one.tagName.toLowerCase()} "${(one.ariaLabel ?? one.textContent).trim().slice(0, 40)}" ${Math.round(width)} x ${Math.round(height)}`
  }
  return targets.filter((one) => !one.classList.contains('skip') && isShown(one) && !isInText(one) && !isLarge(one)).map(told)
}
