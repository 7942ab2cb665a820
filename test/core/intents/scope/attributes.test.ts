import { describe, expect, test } from 'vitest'
import { fastPathFlaw, fastPathText, nonUtf8Patterns } from '../../../../src/core/intents/scope/fast-path-file.ts'
import { isPlainGlob, scopeAttributes } from '../../../../src/core/intents/scope/attributes.ts'
import type { Policy } from '../../../../src/core/intents/scope/policy.ts'
import { caselessGlob, FOLDING_SEQUENCES, foldedPath } from '../../../../src/core/base/folded-path.ts'
import { POLICY_FILES, SETTINGS_ANYWHERE } from '../../../../src/core/base/governance-files.ts'

const free: Policy = { intents: [], governance: ['.orchestration/**', 'AGENTS.md'], forbidden: [], intentignore: [] }
const plain = ['src/**', '**', '**/x.ts', 'src/*.ts', 'a b/c-d_e.f', 'a/**/b', 'a*b', '@scope/x', 'src']
const odd = [
  'a?',
  '[id]',
  '[a-z]',
  'a{b,c}',
  '(auth)/x',
  '!x',
  '@(a|b)',
  '+(a)',
  'a**',
  '**a',
  '***',
  'ä',
  './x',
  '../x',
  'x/',
  '/x',
  'a//b',
  '\\*',
  'a\n',
  '#a',
  '"a"',
  ' a',
  '',
  'a'.repeat(1001),
]

test.each(plain)('%j means the same to git', glob => expect(isPlainGlob(glob)).toBe(true))
test.each(odd)('%j may mean something else to git', glob => expect(isPlainGlob(glob)).toBe(false))

const INTENTS = ['.orchestration/intents', '.orchestration/intents/**']
const SETTINGS = SETTINGS_ANYWHERE.flatMap(it => (it.endsWith('/**') ? [it.slice(0, -3), it] : [it]))
const ALWAYS = [...POLICY_FILES, ...INTENTS, '.agents-work', '.agents-work/**']

describe('a scope in the words of git', () => {
  const allBounds = (scope: string[], policy: Partial<Policy> = {}) =>
    scopeAttributes(scope, { ...free, ...policy })?.bounds
  const bounds = (...[scope, policy]: Parameters<typeof allBounds>) =>
    allBounds(scope, policy)?.filter(it => !SETTINGS.includes(it))

  test('what tools read as settings bounds every scope, in every folder', () =>
    expect(allBounds(['src/**'])).toEqual(SETTINGS))

  test('a tree that nothing else reaches into has no bounds', () => expect(bounds(['src/**'])).toEqual([]))

  test('what a scope takes away bounds it', () =>
    expect(bounds(['src/**', '!src/old/**'])).toEqual(['src/old', 'src/old/**']))

  test('a scope of everything is bounded by the governance plane', () =>
    expect(bounds(['**'])).toEqual(['.orchestration', '.orchestration/**', 'AGENTS.md', ...ALWAYS]))

  test('the files of the policy bound every scope, governed or not', () =>
    expect(bounds(['**'], { governance: [] })).toEqual(ALWAYS))

  test('forbidden paths bound only the scopes that they may meet', () =>
    expect(bounds(['src/**'], { forbidden: ['src/gen/**', 'lib/**'] })).toEqual(['src/gen', 'src/gen/**']))

  test('also in other letters', () => expect(bounds(['src/**'], { forbidden: ['SRC/gen'] })).toEqual(['SRC/gen']))

  test('lines of .intentignore bound at any depth, unless they are anchored', () => {
    expect(bounds(['src/**'], { intentignore: ['*.pem', '/src/x/', '/lib'] })).toEqual([
      '**/*.pem',
      '**/*.pem/**',
      'src/x',
      'src/x/**',
    ])
  })

  test('alternatives are written out', () =>
    expect(scopeAttributes(['{src,lib}/**'], free)?.inside).toEqual(['src/**', 'lib/**']))

  test.each<[string, string[], Partial<Policy>]>([
    ['an empty scope', [], {}],
    ['a scope that only takes away', ['!src/**'], {}],
    ['a pattern that git reads otherwise', ['src/**', 'app/[id]/**'], {}],
    ['an exception of .intentignore', ['src/**'], { intentignore: ['*.pem', '!a.pem'] }],
    ['a line of .intentignore that git would pass over', ['src/**'], { intentignore: ['a'.repeat(1001)] }],
    ['a forbidden pattern that git reads otherwise', ['src/**'], { forbidden: ['[x]'] }],
  ])('%s has no fast path', (_, scope, policy) => expect(scopeAttributes(scope, { ...free, ...policy })).toBeNull())
})

test('a glob for every case', () => expect(caselessGlob('.Sd-d/*')).toBe('.[sS][dD]-[dD]/*'))

// A pattern of git has bytes; a bound of ASCII letters can meet no other characters than these.
test('each character that folds to ASCII characters, or to none, has its sequence', () => {
  const patterns = FOLDING_SEQUENCES.map(it => new RegExp(`^${it.replace(/\\(\d{3})/g, (_, n: string) => hex(n))}$`))
  const known = (character: string) => patterns.some(it => it.test(Buffer.from(character).toString('latin1')))
  const all = Array.from({ length: 0x10ffff }, (_, n) => n).filter(n => n > 0x7f && (n < 0xd800 || n > 0xdfff))
  const folding = all.map(it => String.fromCodePoint(it)).filter(it => /^$|[ -~]/.test(foldedPath(it)))
  expect(folding.length).toBeGreaterThan(30)
  expect(folding.filter(it => !known(it))).toEqual([])
})

function hex(octal: string): string {
  return `\\x${parseInt(octal, 8).toString(16)}`
}

describe('the compiled scope', () => {
  const made = (root: string) =>
    fastPathText({
      root,
      intent: 'INT-001',
      head: '*',
      mark: '7',
      attributes: { inside: ['src/**'], bounds: ['src/"x'] },
    })
  const text = made('/a b') ?? ''

  test('names its worktree and intent, then what is inside, what is not after all, and its own end', () =>
    expect(text.split('\n')).toEqual([
      '# kotef-active 5',
      '# /a b',
      '# INT-001',
      '# 7',
      '# *',
      '"/src/**" in-7',
      '"/[sS][rR][cC]/\\"[xX]" -in-7',
      ...FOLDING_SEQUENCES.flatMap(it => [`"*${it}*" -in-7`, `"**/*${it}*/**" -in-7`]),
      ...nonUtf8Patterns().map(it => `${it} -in-7`),
      '"/.orchestration/AGENT.md" in-7',
      '"/.orchestration/intent_map.md" in-7',
      '* end-7',
      '',
    ]))

  test.each(['/a\nb', '/a\rb', '/a\\b'])('a worktree at %j has none', root => expect(made(root)).toBeNull())

  test('is good for its own worktree only', () =>
    expect([fastPathFlaw(text, '/a b'), fastPathFlaw(text, '/a')]).toEqual([null, 'was made for another worktree']))

  test('cut at any byte it is found out; only its last newline may lack', () => {
    const flaws = Array.from(text.slice(0, -1), (_, length) => fastPathFlaw(text.slice(0, length), '/a b'))
    expect(flaws.filter(it => it === null)).toEqual([])
    expect(fastPathFlaw(text.slice(0, -1), '/a b')).toBeNull()
  })

  test.each([
    ['kotef-active 2\n/a b\n', 'is of another version of kotef'],
    ['# kotef-active 3\n# /a b\n', 'is of another version of kotef'],
    ['', 'is not as kotef writes it'],
    ['\0\xff', 'is not as kotef writes it'],
  ])('%j %s', (found, flaw) => expect(fastPathFlaw(found, '/a b')).toBe(flaw))
})
