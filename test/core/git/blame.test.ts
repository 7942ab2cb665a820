import { expect, test } from 'vitest'
import { blameArgs, parseBlame } from '../../../src/core/git/blame.ts'

const [A, B] = ['a'.repeat(40), 'b'.repeat(64)]

test.each([
  ['nothing', '', []],
  ['one chunk', `${A} 3 5 2\nauthor x\nfilename src/a\n`, [`${A} src/a 3 5 2`]],
  [
    'a second chunk of the same commit, which git prints without its author',
    chunks(`${A} 1 1 1`, `${A} 7 9 3`),
    [`${A} src/a 1 1 1`, `${A} src/a 7 9 3`],
  ],
  ['a SHA-256 commit', chunks(`${B} 1 1 1`), [`${B} src/a 1 1 1`]],
  ['the path of then, where git quotes it', `${A} 1 1 1\nfilename "a\\tb"\n`, [`${A} a\tb 1 1 1`]],
  [
    'a subject that looks like the beginning of a chunk',
    `${A} 1 1 1\nsummary ${B} 2 2 2\nfilename f\n`,
    [`${A} f 1 1 1`],
  ],
  ['a chunk that is cut before its path', `${A} 1 1 1\nauthor x\n`, []],
])('blame: %s', (_, out, expected) => {
  expect(parseBlame(out).map(it => `${it.commit} ${it.path} ${it.origin} ${it.at} ${it.lines}`)).toEqual(expected)
})

test('each chunk has the author of its commit, whom git prints once', () => {
  const out = `${A} 1 1 1\nauthor Sol Dev\nauthor-time 1767225600\nfilename f\n${A} 5 5 1\nfilename f\n`
  const by = { name: 'Sol Dev', at: 1_767_225_600_000 }
  expect(parseBlame(out).map(it => it.by)).toEqual([by, by])
})

test('ranges and a revision are asked for in front of the path, and the commits to look through before them', () => {
  const args = blameArgs('-p', { revision: A, ranges: ['1,2', '9,9'] })
  expect(args.slice(args.indexOf('-L'))).toEqual(['-L', '1,2', '-L', '9,9', A, '--', '-p'])
  const through = blameArgs('p', { revision: null, ranges: ['1,2'], ignored: [A] })
  expect(through.slice(through.indexOf('--root'), -2)).toEqual(['--root', '--ignore-rev', A, '-L', '1,2'])
  expect(blameArgs('p', { revision: null, ranges: [] }).slice(-3)).toEqual(['--root', '--', 'p'])
})

function chunks(...headers: string[]): string {
  return headers.map(it => `${it}\nfilename src/a\n`).join('')
}
