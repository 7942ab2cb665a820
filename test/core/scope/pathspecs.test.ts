import { describe, expect, test } from 'vitest'
import { activeText } from '../../../src/scope/active.ts'
import { isPlain, pathspecsOf } from '../../../src/scope/pathspecs.ts'
import type { Policy } from '../../../src/scope/policy.ts'

const free: Policy = { intents: [], governance: ['.orchestration/**', 'AGENTS.md'], forbidden: [], intentignore: [] }
const plain = ['src/**', '**', '**/x.ts', 'src/*.ts', 'a b/c-d_e.f', 'a/**/b', 'a*b', '@scope/x']
const odd = [
  'a?',
  '[id]',
  'a{b,c}',
  '(auth)/x',
  '!x',
  '@(a|b)',
  'a**',
  '***',
  'ä',
  './x',
  'x/',
  'a//b',
  '\\*',
  'a\n',
  ' a',
  '',
]

test.each(plain)('%j means the same to git', glob => expect(isPlain(glob)).toBe(true))
test.each(odd)('%j may mean something else to git', glob => expect(isPlain(glob)).toBe(false))

describe('a scope in the words of git', () => {
  const bounds = (scope: string[], policy: Partial<Policy> = {}) => pathspecsOf(scope, { ...free, ...policy })?.bounds

  test('a tree that nothing else reaches into has no bounds', () => expect(bounds(['src/**'])).toEqual([]))

  test('a file is bounded by the directory that may take its place', () =>
    expect(bounds(['src/a.ts'])).toEqual([':(top,glob)src/a.ts/**']))

  test('what a scope takes away bounds it', () =>
    expect(bounds(['src/**', '!src/old/**'])).toEqual([':(top,glob)src/old/**']))

  test('a scope of everything is bounded by the governance plane', () =>
    expect(bounds(['**'])).toEqual([':(top,glob).orchestration/**', ':(top,glob)AGENTS.md']))

  test('forbidden paths bound only the scopes that they may meet', () => {
    expect(bounds(['src/**'], { forbidden: ['src/gen/**', 'lib/**'] })).toEqual([':(top,glob)src/gen/**'])
  })

  test('lines of .intentignore bound at any depth, unless they are anchored', () => {
    expect(bounds(['src/**'], { intentignore: ['*.pem', '/src/x/', '/lib'] })).toEqual([
      ':(top,glob)**/*.pem',
      ':(top,glob)**/*.pem/**',
      ':(top,glob)src/x',
      ':(top,glob)src/x/**',
    ])
  })

  test('alternatives are written out', () =>
    expect(pathspecsOf(['{src,lib}/**'], free)?.inside.slice(0, 2)).toEqual([':(top,glob)src/**', ':(top,glob)lib/**']))

  test.each<[string, string[], Partial<Policy>]>([
    ['an empty scope', [], {}],
    ['a scope that only takes away', ['!src/**'], {}],
    ['a pattern that git reads otherwise', ['src/**', 'app/[id]/**'], {}],
    ['an exception of .intentignore', ['src/**'], { intentignore: ['*.pem', '!a.pem'] }],
    ['a forbidden pattern that git reads otherwise', ['src/**'], { forbidden: ['[x]'] }],
  ])('%s has no fast path', (_, scope, policy) => expect(pathspecsOf(scope, { ...free, ...policy })).toBeNull())

  test('the last line shows that nothing is missing', () => {
    const text = activeText({
      root: '/a b',
      intent: 'INT-001',
      pathspecs: { inside: [':(top,glob)src/**'], bounds: [':(top,glob)x'] },
    })
    expect(text).toBe('kotef-active 2\n/a b\nINT-001\n:(exclude,top,glob)src/**\n--\n:(top,glob)x\nend\n')
  })
})
