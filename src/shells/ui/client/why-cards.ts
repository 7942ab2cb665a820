const HIDDEN = 'is-without-why'
const UNPINNED = 'is-unpinned'

/**
 * What is said about the lines of a file: a click on a line pins it. Escape hides it, until the pointer or the focus
 * moves to another line.
 */
export function whyCards(): void {
  const { classList } = document.documentElement
  let pinned: string | null = null
  const show = (): void => {
    for (const it of document.querySelectorAll('.block.is-pinned')) it.classList.remove('is-pinned')
    if (pinned !== null) document.getElementById(pinned)?.closest('.block')?.classList.add('is-pinned')
  }
  document.addEventListener('click', ({ target }) => {
    const line = target instanceof Element && !target.closest('.why') ? target.closest('.block > tr') : null
    if (!line || getSelection()?.isCollapsed === false) return
    pinned = line.id
    classList.remove(HIDDEN)
    show()
  })
  document.addEventListener('keydown', it => {
    if (it.key !== 'Escape') return
    pinned = null
    // The line that the address names is shown as if it were pinned.
    classList.add(HIDDEN, UNPINNED)
    show()
  })
  for (const event of ['focusin', 'mouseover']) document.addEventListener(event, () => classList.remove(HIDDEN))
  addEventListener('hashchange', () => classList.remove(UNPINNED))
  // A newer state of the file takes the place of the lines.
  const main = document.getElementById('main')
  if (main && document.querySelector('.blame'))
    new MutationObserver(() => pinned !== null && show()).observe(main, { childList: true, subtree: true })
}
