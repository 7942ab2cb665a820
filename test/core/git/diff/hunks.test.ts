import { expect, test } from 'vitest'
import { parseHunks } from '../../../../src/core/git/diff/hunks.ts'

const diff = (n: number, ...body: string[]): string =>
  [`diff --git a/tmp/before/${n} b/tmp/after/${n}`, 'index 1..2 100644', `--- a/${n}`, `+++ b/${n}`, ...body, ''].join(
    '\n',
  )

test.each([
  ['a changed line', '@@ -2 +2 @@', ['-x', '+y'], { line: 2, lines: 1, addedLine: 2, addedLines: 1 }],
  ['added lines', '@@ -4,0 +5,2 @@ function f() {', ['+x', '+y'], { line: 5, lines: 0, addedLine: 5, addedLines: 2 }],
  ['removed lines', '@@ -5,2 +4,0 @@', ['-x', '-y'], { line: 5, lines: 2, addedLine: 5, addedLines: 0 }],
  ['a first line', '@@ -0,0 +1 @@', ['+x'], { line: 1, lines: 0, addedLine: 1, addedLines: 1 }],
])('%s: %s', (_, header, body, hunk) => {
  expect(parseHunks(diff(7, header, ...body))).toEqual(new Map([[7, [hunk]]]))
})

test('lines of a file that look like headers are text', () => {
  const tricky = [
    '@@ -1 +1,3 @@',
    '-diff --git a/tmp/before/9 b/tmp/after/9',
    '+@@ -9 +9 @@',
    '+--- a/9',
    '+diff --git a/8 b/8',
    '@@ -5 +7 @@',
    '-p',
    '+q',
  ]
  expect(parseHunks(diff(0, ...tricky))).toEqual(
    new Map([
      [
        0,
        [
          { line: 1, lines: 1, addedLine: 1, addedLines: 3 },
          { line: 5, lines: 1, addedLine: 7, addedLines: 1 },
        ],
      ],
    ]),
  )
})

test('a missing final newline is not a line', () => {
  const body = [
    '@@ -1 +1 @@',
    '-x',
    '\\ No newline at end of file',
    '+y',
    '\\ No newline at end of file',
    '@@ -3 +3 @@',
    '-a',
    '+b',
  ]
  expect(parseHunks(diff(0, ...body)).get(0)).toHaveLength(2)
})

test('several files keep their numbers, and no diff is no entry', () => {
  const text = diff(3, '@@ -1 +1 @@', '-a', '+b') + diff(12, '@@ -1 +1 @@', '-a', '+b')
  expect([...parseHunks(text).keys()]).toEqual([3, 12])
  expect(parseHunks('')).toEqual(new Map())
})
