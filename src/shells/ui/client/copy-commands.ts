const COPIED_MS = 2_000

/** The button beside a command copies it, and says so; where the browser does not allow it, the command is selected. */
export function copyCommands(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (button) void copy(button)
  })
}

async function copy(button: HTMLElement): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(
    () => true,
    () => false,
  )
  if (!isCopied) return selectText(button.previousElementSibling)
  const label = button.getAttribute('aria-label') ?? ''
  button.textContent = 'Copied'
  button.removeAttribute('aria-label')
  setTimeout(() => {
    button.textContent = 'Copy'
    button.setAttribute('aria-label', label)
  }, COPIED_MS)
}

function selectText(element: Element | null): void {
  if (element) window.getSelection()?.selectAllChildren(element)
}
