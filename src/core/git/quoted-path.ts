/** The path that git prints in a diff: in quotes, with the escapes of C, if it has unusual characters. */
export function unquotePath(printed: string): string {
  if (!printed.startsWith('"') || !printed.endsWith('"')) return printed
  const bytes: number[] = []
  for (const [, octal, letter, plain] of printed.slice(1, -1).matchAll(ESCAPED)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else if (letter !== undefined) bytes.push(LETTERS[letter] ?? letter.charCodeAt(0))
    else bytes.push(...Buffer.from(plain ?? ''))
  }
  return Buffer.from(bytes).toString('utf8')
}

const ESCAPED = /\\([0-7]{3})|\\(.)|([^\\]+)/gs

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }
