import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ClassPair, readClassPairs } from '../../../rig/class-pairs.ts'

const FOLDER = join(import.meta.dirname, 'pairs')
const pages = readdirSync(FOLDER).map(name => ({
  name,
  pairs: readClassPairs(readFileSync(join(FOLDER, name), 'utf8')),
}))

const LANGUAGES = [
  ...['c.txt', 'cpp.txt', 'csharp.txt', 'go.txt', 'java.txt', 'javascript.txt', 'php.txt', 'python.txt', 'ruby.txt'],
  ...['rust.txt', 'typescript.txt'],
]

test('each language has a page, and no page is without a language', () => {
  expect(pages.map(page => page.name).sort()).toEqual(LANGUAGES)
})

test('all pages together hold at least 480 pairs', () => {
  expect(pages.flatMap(page => page.pairs).length).toBeGreaterThanOrEqual(480)
})

describe.each(pages)('$name', ({ pairs }) => {
  test('holds at least 40 pairs, and each class', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(40)
    const classes: ClassPair['expected'][] = ['AST_REFACTOR', 'FORMAT', 'INTENT_EVOLUTION', 'UNKNOWN']
    expect([...new Set(pairs.map(pair => pair.expected))].sort()).toEqual(classes)
  })

  test('has a different title for each pair', () => {
    const titles = pairs.map(pair => pair.title)
    expect(titles.filter((title, index) => titles.indexOf(title) < index)).toEqual([])
  })

  test('has no pair whose texts are equal, and no change that another pair has as well', () => {
    expect(pairs.filter(pair => pair.before === pair.after).map(pair => pair.title)).toEqual([])
    const changes = pairs.map(pair => JSON.stringify([pair.path, pair.before, pair.after]))
    expect(changes.filter((change, index) => changes.indexOf(change) < index)).toEqual([])
  })
})

const PAGE = `@ a.ts
== FORMAT  Two lines
-- before
a
b
-- after

== UNKNOWN  No grammar
@ a.zig
-- before
-- after
␟a␉b␠␍
␀␤
`

test('a page gives title, class, path and both texts of each pair', () => {
  expect(readClassPairs(PAGE)).toEqual([
    { title: 'Two lines', expected: 'FORMAT', path: 'a.ts', before: 'a\nb\n', after: '\n' },
    { title: 'No grammar', expected: 'UNKNOWN', path: 'a.zig', before: '', after: '\u{feff}a\tb \r\n\0\u{2028}\n' },
  ])
})

test.each([
  ['', 'line 1: expected `@ ` and the usual file name.'],
  ['== FORMAT  Title\n', 'line 1: expected `@ ` and the usual file name.'],
  ['@ a.ts\nlet a\n', 'line 2: expected `== `, a class, two spaces and a title.'],
  ['@ a.ts\n== FORMAT One space\n', 'line 2: expected `== `, a class, two spaces and a title.'],
  ['@ a.ts\n== OTHER  Class\n', 'line 2: expected `== `, a class, two spaces and a title.'],
  ['@ a.ts\n== FORMAT  Title\n', 'line 3: expected `-- before`.'],
  ['@ a.ts\n== FORMAT  Title\n-- after\n', 'line 3: expected `-- before`.'],
  ['@ a.ts\n== FORMAT  Title\n-- before\na\n', 'line 5: expected `-- after`.'],
  ['@ a.ts\n== FORMAT  Title\n-- before\n-- before\n', 'line 4: expected `-- after`.'],
  [
    '@ a.ts\n== FORMAT  Title\n-- before\n-- after\n-- after\n',
    'line 5: expected `== `, a class, two spaces and a title.',
  ],
])('the page %j is not read: %s', (page, message) => {
  expect(() => readClassPairs(page)).toThrow(message)
})
