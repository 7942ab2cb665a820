const CLASSES = ['FORMAT', 'AST_REFACTOR', 'INTENT_EVOLUTION', 'UNKNOWN'] as const

/** A change of one file, with the mutation class that a person gave to it. test/README.md has the format of a page. */
export type ClassPair = {
  readonly title: string
  readonly expected: (typeof CLASSES)[number]
  readonly path: string
  readonly before: string
  readonly after: string
}

// Characters that an editor hides or a formatter removes, by the sign that a page has for each.
const SIGNS: Readonly<Record<string, string>> = {
  '␍': '\r',
  '␉': '\t',
  '␠': ' ',
  '␀': '\0',
  '␟': '\u{feff}',
  '␤': '\u{2028}',
}

type Cursor = { readonly lines: readonly string[]; next: number }

/** Reads a page of pairs; a line that it can't read is thrown, with its number. */
export function readClassPairs(text: string): ClassPair[] {
  const cursor = { lines: text.replace(/\n$/, '').split('\n'), next: 0 }
  const usualPath = readPath(cursor)
  if (usualPath === null) throw malformed(cursor, '`@ ` and the usual file name')
  const pairs: ClassPair[] = []
  while (cursor.next < cursor.lines.length) pairs.push(readPair(cursor, usualPath))
  return pairs
}

function readPair(cursor: Cursor, usualPath: string): ClassPair {
  const { expected, title } = readHead(cursor)
  const path = readPath(cursor) ?? usualPath
  const before = readBlock(cursor, '-- before')
  return { title, expected, path, before, after: readBlock(cursor, '-- after') }
}

function readHead(cursor: Cursor): Pick<ClassPair, 'expected' | 'title'> {
  const [, name, title] = cursor.lines[cursor.next]?.match(/^== (\w+) {2}(\S.*)$/) ?? []
  const expected = CLASSES.find(it => it === name)
  if (!expected || !title) throw malformed(cursor, '`== `, a class, two spaces and a title')
  cursor.next++
  return { expected, title }
}

function readPath(cursor: Cursor): string | null {
  const path = cursor.lines[cursor.next]?.match(/^@ (\S+)$/)?.[1]
  if (path === undefined) return null
  cursor.next++
  return path
}

function readBlock(cursor: Cursor, opening: string): string {
  if (cursor.lines[cursor.next] !== opening) throw malformed(cursor, `\`${opening}\``)
  const start = ++cursor.next
  while (cursor.next < cursor.lines.length && !/^(==|--) /.test(cursor.lines[cursor.next] ?? '')) cursor.next++
  const content = cursor.lines.slice(start, cursor.next).map(line => `${line}\n`)
  return content.join('').replace(/[␍␉␠␀␟␤]/g, sign => SIGNS[sign] ?? sign)
}

function malformed(cursor: Cursor, wanted: string): Error {
  return new Error(`line ${cursor.next + 1}: expected ${wanted}.`)
}
