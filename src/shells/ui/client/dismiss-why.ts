const HIDDEN = 'is-without-why'

/** Escape hides what is said about the lines of a file, until the pointer or the focus moves to another line. */
export function dismissWhy(): void {
  const { classList } = document.documentElement
  document.addEventListener('keydown', it => {
    if (it.key === 'Escape') classList.add(HIDDEN)
  })
  for (const event of ['focusin', 'mouseover']) document.addEventListener(event, () => classList.remove(HIDDEN))
}
