// The edits of a flow's files: a line says who wrote it.

/** The text of a line, which says who wrote it, unless it is in capitals. */
export function lineText(author: string, word: string): string {
  return /^[a-z]/.test(word) ? `${author} wrote the line ${word}` : word
}

/** Applies edits, parted by `;`, one after the other. */
export function applyEdits(before: string, edits: string, text: (word: string) => string): string {
  const end = before.includes('\r\n') ? '\r\n' : '\n'
  const all = before.split(/\r?\n/).slice(0, -1)
  for (const edit of edits.split(';').map(it => it.trim())) {
    const [, kind, number = '0', rest = ''] = /^([-+=:>])(\d*) ?(.*)$/.exec(edit) ?? []
    const at = Number(number)
    const texts = rest
      .split(' ')
      .filter(it => it !== '')
      .map(text)
    if (kind === ':') all.splice(0, all.length, ...texts)
    if (kind === '+') all.splice(at, 0, ...texts)
    if (kind === '=') all.splice(at - 1, 1, ...texts)
    if (kind === '-') all.splice(at - 1, 1)
    if (kind === '>') all[at - 1] = `    ${all[at - 1]}`
  }
  return all.map(it => `${it}${end}`).join('')
}
