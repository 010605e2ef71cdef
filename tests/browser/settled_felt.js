// Done once the window has this size and the felt has come to rest in it.
([width, height]) =>
  new Promise((done) => {
    let [was, still] = ['', 0]
    const look = () => {
      const now = document.querySelector('svg[aria-label^="The table"]')?.outerHTML ?? ''
      const isSized = innerWidth === width && innerHeight === height
      const isMoving = document.getAnimations().some((one) => one.playState === 'running')
      still = isSized && now === was && !isMoving ? still + 1 : 0
      was = now
      if (still > 2) done()
      else requestAnimationFrame(look)
    }
    look()
  })
