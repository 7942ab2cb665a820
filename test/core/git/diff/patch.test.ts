import { expect, test } from 'vitest'
import { type CommitPatch, lineMarker, patchReader } from '../../../../src/core/git/diff/patch.ts'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const [X, Y, ZERO] = ['1'.repeat(40), '2'.repeat(40), '0'.repeat(40)]
const mark = lineMarker(bytes => bytes.length)

/** What `git diff-tree` prints, as text: a commit a line, then its files as `path op from before after`, its lines. */
function read(lines: readonly string[]): string[] {
  const reader = patchReader(mark)
  const whole = lines.map(it => reader.line(Buffer.from(it)))
  return [...whole, reader.end()].flatMap(it => (it ? describePatch(it) : []))
}

function describePatch({ commit, files }: CommitPatch): string[] {
  return files.length === 0
    ? [`${commit[0]}`]
    : files.flatMap(({ path, from, before, after, hunks }) => [
        `${commit[0]} ${from === null ? '' : `${from} -> `}${path} ${before?.[0] ?? '-'} ${after?.[0] ?? '-'}`,
        ...hunks.map(hunk => hunk.map(it => `${SIGNS[it.side]}${it.at}:${Buffer.from(it.bytes).toString()}`).join(' ')),
      ])
}

const SIGNS = { added: '+', removed: '-', kept: '=' }
const modified = `:100644 100644 ${X} ${Y} M\tsrc/a`

test.each<[string, string[], string[]]>([
  ['nothing', [], []],
  ['a commit that changes nothing', [A], ['a']],
  [
    'lines that changed',
    [A, modified, '', 'diff --git a/x b/x', '@@ -2,3 +2,3 @@', ' k', '-o', '+n', ' l'],
    ['a src/a 1 2', '=2:k -3:o +3:n =4:l'],
  ],
  [
    'a file that becomes a link, of which git prints two patches, and one that changes after it',
    [
      ...[A, `:100644 120000 ${X} ${Y} T\tl`, modified, 'diff --git', '@@ -1 +0,0 @@', '-o'],
      ...['diff --git', '@@ -0,0 +1 @@', '+t', '\\ No newline', 'diff --git', '@@ -1 +1 @@', '-p', '+q'],
    ],
    ['a l 1 2', '-1:o', '+1:t', 'a src/a 1 2', '-1:p +1:q'],
  ],
  [
    'two hunks of one file',
    [A, modified, 'diff --git', '@@ -1 +1,2 @@', '+n', ' k', '@@ -9 +10,0 @@', '-o'],
    ['a src/a 1 2', '+1:n =2:k', '-9:o'],
  ],
  ['a new file', [A, `:000000 100644 ${ZERO} ${Y} A\tn`, 'diff --git', '@@ -0,0 +1 @@', '+x'], ['a n - 2', '+1:x']],
  ['a deleted file', [A, `:100644 000000 ${X} ${ZERO} D\to`, 'diff --git', '@@ -1 +0,0 @@', '-x'], ['a o 1 -', '-1:x']],
  ['a renamed file', [A, `:100644 100644 ${X} ${X} R100\told\tnew`, 'diff --git'], ['a old -> new 1 1']],
  ['a quoted path', [A, `:100644 100644 ${X} ${Y} M\t"a\\tb"`, 'diff --git'], ['a a\tb 1 2']],
  ['a binary file', [A, modified, 'diff --git', 'Binary files a and b differ'], ['a src/a 1 2']],
  [
    'a text without a final newline',
    [A, modified, 'diff --git', '@@ -1 +1 @@', '-o', '\\ No newline', '+n'],
    ['a src/a 1 2', '-1:o +1:n'],
  ],
  [
    'a text with CRLF',
    [A, modified, 'diff --git', '@@ -1,2 +1,2 @@', ' k\r', '-o\r', '+n\r\r'],
    ['a src/a 1 2', '=1:k -2:o +2:n\r'],
  ],
  [
    'a CR at the end of a text, which ends no line',
    [A, modified, 'diff --git', '@@ -1 +1 @@', '-o\r', '\\ No newline', '+n\r', '\\ No newline'],
    ['a src/a 1 2', '-1:o\r +1:n\r'],
  ],
  [
    'content that looks like a header',
    [A, modified, 'diff --git', '@@ -1 +1,2 @@', ' @@ -9 +9 @@', `+${B}`],
    ['a src/a 1 2', `=1:@@ -9 +9 @@ +2:${B}`],
  ],
  ['two commits', [A, modified, 'diff --git', '@@ -1 +1 @@', '+n', B], ['a src/a 1 2', '+1:n', 'b']],
])('%s is read as git prints it', (_, lines, expected) => {
  expect(read(lines)).toEqual(expected)
})

test('a large commit comes in parts, each with whole files', () => {
  const second = modified.replace('src/a', 'src/b')
  const lines = [A, modified, second, 'diff --git', '@@ -1 +1 @@', '-o', '+n', 'diff --git', '@@ -1 +1 @@', '+m', B]
  const reader = patchReader(mark)
  const parts = lines.flatMap(it => [reader.line(Buffer.from(it)), reader.part()])
  expect([...parts, reader.part(), reader.end()].flatMap(it => (it ? [describePatch(it)] : []))).toEqual([
    ['a src/a 1 2', '-1:o +1:n'],
    ['a src/b 1 2', '+1:m'],
    ['b'],
  ])
})

test('of a merge a line is added only when no parent has it, and a line that it leaves out is nowhere', () => {
  const file = `::100644 100644 100644 ${X} ${X} ${Y} MM\tm`
  const body = ['@@@ -1,2 -1,2 +1,3 @@@', '  both', '+ from second', ' +from first', '++own', '- left', '--gone']
  expect(read([A, file, 'diff --cc m', ...body])).toEqual(['a m 1 2', '=1:both =2:from second =3:from first +4:own'])
})

test.each([
  ['', 0],
  ['  }  ', 0],
  ['a1_Z', 3],
  ['é', 2],
])('the weight of %j is %d: its letters and digits, and each byte of another script', (text, weight) => {
  expect(mark(Buffer.from(text)).weight).toBe(weight)
})

test('the white space around a line does not change its mark', () => {
  expect(mark(Buffer.from('\t x = 1 \r'))).toEqual(mark(Buffer.from('x = 1')))
})
