/** Opens what is folded while the page is printed: paper can't be opened. */
export function openForPrint(): void {
  let opened: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details')].filter(it => !it.open)
    for (const it of opened) it.open = true
  })
  addEventListener('afterprint', () => {
    for (const it of opened) it.open = false
  })
}
