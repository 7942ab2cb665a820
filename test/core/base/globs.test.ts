import fc from 'fast-check'
import micromatch from 'micromatch'
import { describe, expect, test } from 'vitest'
import { globList, globTest, malformation } from '../../../src/core/base/globs.ts'

type Row = { readonly glob: string; readonly yes?: readonly string[]; readonly no?: readonly string[] }

const DIALECT: readonly Row[] = [
  {
    glob: 'src/**',
    yes: ['src/a', 'src/a/b.ts', 'src/.env', 'src/.git2/x', 'src'],
    no: ['srcx', 'lib/src/a', 'SRC/a'],
  },
  { glob: '**', yes: ['a', 'a/b', '.x', 'a\nb'] },
  { glob: '**/*.ts', yes: ['a.ts', 'x/y/z.ts', '.d/x.ts', 'x/.ts'], no: ['a.tsx', 'a.ts/b'] },
  { glob: '*.ts', yes: ['a.ts', '.ts'], no: ['b/a.ts'] },
  { glob: 'src/*', yes: ['src/a', 'src/.a'], no: ['src/a/b', 'src'] },
  { glob: 'src', yes: ['src'], no: ['src/a'] },
  { glob: './src/**', yes: ['src/a'], no: ['./src/a'] },
  { glob: 'a**', yes: ['abc'], no: ['ab/c'] },
  { glob: 'a?b', yes: ['axb'], no: ['a/b', 'ab'] },
  { glob: 'src/**/x.ts', yes: ['src/x.ts', 'src/a/x.ts', 'src/a/b/x.ts'], no: ['src/ax.ts'] },
  { glob: 'src/{a,b/c}/**', yes: ['src/a/x', 'src/b/c/x'], no: ['src/b/x', 'src/{a,b/c}/x'] },
  { glob: 'v{1..12}.md', yes: ['v1.md', 'v12.md'], no: ['v13.md', 'v0.md'] },
  { glob: '{a,{b,c}}.ts', yes: ['a.ts', 'b.ts', 'c.ts'], no: ['d.ts'] },
  { glob: 'x{a}', yes: ['x{a}'], no: ['xa'] },
  { glob: '{a', yes: ['{a'], no: ['a'] },
  { glob: '@(a|b).ts', yes: ['a.ts', 'b.ts'], no: ['c.ts', '@(a|b).ts'] },
  { glob: 'a/!(b)', yes: ['a/c'], no: ['a/b'] },
  { glob: '[0-9][a-z_].ts', yes: ['1a.ts', '9_.ts'], no: ['a1.ts'] },
]

const LITERAL: readonly Row[] = [
  { glob: 'app/(auth)/**', yes: ['app/(auth)/login/page.tsx'], no: ['app/auth/login/page.tsx'] },
  { glob: 'app/(a|b)/**', yes: ['app/(a|b)/x'], no: ['app/a/x'] },
  { glob: 'app/[id]/**', yes: ['app/[id]/page.tsx'], no: ['app/i/page.tsx', 'app/d/page.tsx'] },
  { glob: 'app/\\[id\\]/**', yes: ['app/[id]/page.tsx'], no: ['app/i/page.tsx'] },
  { glob: 'pages/[post-id].tsx', yes: ['pages/[post-id].tsx'], no: ['pages/p.tsx'] },
  { glob: 'app/[...slug]/*', yes: ['app/[...slug]/page.tsx'], no: ['app/s/page.tsx', 'app/./page.tsx'] },
  { glob: 'app/[[...slug]]/*', yes: ['app/[[...slug]]/page.tsx'], no: ['app/s]/page.tsx'] },
  { glob: 'app/@modal/(.)photo/[id]/**', yes: ['app/@modal/(.)photo/[id]/page.tsx'], no: ['app/@modal/.photo/i/x'] },
  { glob: 'app/{(a),[b]}/*', yes: ['app/(a)/x', 'app/[b]/x'], no: ['app/a/x', 'app/b/x'] },
  { glob: 'src/routes/(app)/+page.svelte', yes: ['src/routes/(app)/+page.svelte'] },
  { glob: 'a$b/^c|d#.x', yes: ['a$b/^c|d#.x'] },
  { glob: 'a$$/b^^/$$$.*', yes: ['a$$/b^^/$$$.ts'], no: ['a$/b^/$.ts'] },
  { glob: 'with "quotes"/*', yes: ['with "quotes"/a'], no: ['with quotes/a'] },
  { glob: 'a b/*', yes: ['a b/c d'] },
  { glob: 'a\\*b', yes: ['a*b'], no: ['axb'] },
  { glob: '{x,a\\*b}', yes: ['a*b', 'x'], no: ['axb'] },
  { glob: 'caf\u00e9/*', yes: ['caf\u00e9/x'] },
  { glob: 'cafe\u0301/*', yes: ['caf\u00e9/x'] },
]

describe('globs', () => {
  test.each(DIALECT)('$glob keeps to the documented dialect', check)
  test.each(LITERAL)('$glob means the path that it spells', check)

  test('a glob in a list loses to a `!` glob, wherever that stands', () => {
    const list = globList(['!src/legacy/**', 'src/**', 'lib/*.ts'])
    expect(list('src/a.ts')).toEqual({ kind: 'in', by: 'src/**' })
    expect(list('src/legacy/a.ts')).toEqual({ kind: 'out', by: '!src/legacy/**' })
    expect(list('docs/a.md')).toBeNull()
  })

  test('a list of nothing, or of `!` globs alone, takes nothing in', () => {
    for (const list of [[], ['!src/**']]) expect(globList(list)('src/a.ts')).toBeNull()
  })

  test('a leading `!` always takes away, also before a parenthesis', () => {
    const list = globList(['**', '!(auth)/**'])
    expect(list('(auth)/x')).toEqual({ kind: 'out', by: '!(auth)/**' })
    expect(list('blog/x')).toEqual({ kind: 'in', by: '**' })
  })
})

test('a path, and all below one, mean what micromatch says', () => {
  const name = fc.string({ unit: fc.constantFrom(...Array.from('ab.-_ $^#"\'~é')), minLength: 1, maxLength: 3 })
  const names = fc.array(
    name.filter(it => !/^\.{1,2}$|^~/.test(it)),
    { minLength: 1, maxLength: 3 },
  )
  const options = { dot: true, nocase: false, windows: false, keepQuotes: true }
  const hasSpaceAround = (glob: string) => glob !== glob.trim()
  // Of two `$` or `^` in a row, micromatch escapes only the first.
  const escaped = (glob: string) => glob.replace(/[$^]/g, '\\$&')
  fc.assert(
    fc.property(names, names, fc.boolean(), fc.boolean(), (own, other, isBelow, isFar) => {
      const glob = `${own.join('/')}${isBelow ? '/**' : ''}`
      fc.pre(!hasSpaceAround(glob))
      const path = (isFar ? other : [...own, ...other.slice(1)]).join('/')
      for (const it of [path, `${path}/`])
        expect(globTest(glob)(it), `${glob} ${it}`).toBe(
          new RegExp(micromatch.makeRe(escaped(glob), options).source, 's').test(it),
        )
    }),
  )
})

describe('malformed globs', () => {
  const flawed = [
    '',
    '!',
    '!!a',
    '/a',
    '~/a',
    'C:/a',
    'C:\\a',
    'src\\auth\\**',
    '../a',
    'a/../b',
    'src/',
    'a//b',
    'a/./b',
    '! src/**',
    ' src/**',
    'src/** ',
    '! ',
  ]
  const hidden = ['{a,..}/b', '{/a,b}', 'a\0b', 'a\nb', 'a\uFFFDb', '\ud800', 'x{1..5000}', '!../a', '..', '.']

  test('a glob that is longer than any path is refused and matches nothing', () => {
    for (const long of ['a'.repeat(5000), 'a*'.repeat(25_000), '@(a|b)'.repeat(12_000), '{a,b}'.repeat(1000)]) {
      expect(malformation(`!${long}`)).toBe('a glob of at most 4096 characters')
      expect(globTest(long)('a')).toBe(false)
    }
    expect(malformation('a'.repeat(4096))).toBeNull()
  })

  test.each([...flawed, ...hidden].map(glob => ({ glob })))('$glob is refused and matches nothing', ({ glob }) => {
    expect(malformation(glob)).toEqual(expect.any(String))
    for (const path of ['a', 'b', 'a/b', 'src/a', '']) expect(globTest(glob)(path)).toBe(false)
  })

  test('sound globs have no flaw', () => {
    for (const { glob } of [...DIALECT, ...LITERAL]) expect(malformation(glob), glob).toBeNull()
    expect(malformation('!src/**')).toBeNull()
  })
})

function check({ glob, yes = [], no = [] }: Row): void {
  const means = globTest(glob)
  expect(
    yes.filter(path => !means(path)),
    'missed',
  ).toEqual([])
  expect(
    no.filter(path => means(path)),
    'taken in',
  ).toEqual([])
}
