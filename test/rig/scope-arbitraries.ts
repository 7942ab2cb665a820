// Scopes and changes that fast-check generates: `ownedCase`, `anyLimits`, `pathMatching(glob)`.

import fc from 'fast-check'

/** What limits a change, and a change: what HEAD has, and what the index has in its place. */
export type ScopeCase = ScopeLimits & { readonly before: EntryTree; readonly after: EntryTree }

/** What an intent owns, and what is closed to it. */
export type ScopeLimits = {
  readonly scope: readonly string[]
  readonly forbidden: readonly string[]
  readonly ignored: readonly string[]
}

/** A kind of entry for each path; latin1 stands for bytes. */
export type EntryTree = Readonly<Record<string, EntryKind>>
export type EntryKind = 'file' | 'other' | 'exec' | 'link' | 'gitlink'

/** The UTF-8 of a text, as latin1. */
export const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1')

const ODD_SEGMENTS = [
  '*.ts',
  '.d',
  'A',
  'a b',
  '"q"',
  '\\',
  '-f',
  '[id]',
  '(g)',
  'x\ny',
  utf8AsLatin1('ü'),
  'a\xff',
  '\xc3',
]
const plainSegment = fc.constantFrom('a', 'b', 'a.ts')
const segment = fc.oneof({ weight: 1, arbitrary: plainSegment }, fc.constantFrom(...ODD_SEGMENTS))
const mostlyPlainSegment = fc.oneof({ weight: 9, arbitrary: plainSegment }, fc.constantFrom(...ODD_SEGMENTS))

/** Any path. */
export const anyPath = pathOfSegments(segment)

const globSegment = fc.constantFrom(
  'a',
  'b',
  'a.ts',
  '*',
  '*.ts',
  '**',
  '.d',
  '{a,b}',
  '[id]',
  '(g)',
  '@(a|b)',
  'a**',
  '?',
)
const plainGlob = pathOfSegments(fc.constantFrom('a', 'b', 'a.ts', '*', '*.ts', '**'))
const anyGlob = fc.oneof({ weight: 6, arbitrary: plainGlob }, pathOfSegments(globSegment))
const wideGlob = fc.constantFrom('**', '*/**', 'a/**', '**/a.ts', '**/*.ts')
const braceGlob = fc.constantFrom('{a,b}/**', '{a,b,.d}/*', '**/{a,b}', '{a,b}/{a.ts,b}', '{a,b}/**/*.ts')
const ignoredLine = fc.constantFrom('*.ts', '/a/b', 'b/', 'a/**', '.d', 'a b')

/** Limits that git and kotef may well read differently. */
export const anyLimits: fc.Arbitrary<ScopeLimits> = fc.record({
  scope: scopeOf(fc.oneof(wideGlob, braceGlob, anyGlob), fc.oneof(anyGlob, anyGlob.map(negated))),
  forbidden: fc.array(anyGlob, { maxLength: 1 }),
  ignored: fc.array(fc.oneof(ignoredLine, fc.constantFrom('!a', '# a')), { maxLength: 1 }),
})

/** A change of what the first glob of a scope takes in, which little else stands against. */
export const ownedCase = caseWithin(scopeOf(wideGlob, fc.oneof(plainGlob, fc.constantFrom('!b/*/**', '!**/b/a'))))

/** As `ownedWorld`, where that glob lists alternatives. */
export const braceCase = caseWithin(scopeOf(braceGlob, plainGlob))

/** A path that a glob of names, stars and lists takes in; what else a glob says is taken by its letters. */
export function pathMatching(glob: string): fc.Arbitrary<string> {
  const parts = glob.replace(/^!/, '').split('/').map(segmentMatching)
  return fc.tuple(...parts).map(it => it.flat().join('/') || 'a')
}

function segmentMatching(part: string): fc.Arbitrary<readonly string[]> {
  if (part === '**') return fc.array(mostlyPlainSegment, { minLength: 1, maxLength: 2 })
  const alternatives = /^\{(.*)\}$/.exec(part)?.[1]?.split(',') ?? [part]
  const names = part === '*' ? mostlyPlainSegment : fc.constantFrom(...alternatives.map(it => it.replace(/\*+/, 'a')))
  return names.map(it => [it])
}

function caseWithin(scopes: fc.Arbitrary<string[]>): fc.Arbitrary<ScopeCase> {
  const limits = fc.record({
    scope: scopes,
    forbidden: fc.array(fc.constantFrom('b/b/**', '**/b/*.ts'), { maxLength: 1 }),
    ignored: fc.array(fc.constantFrom('/b/a/', '*.pem'), { maxLength: 1 }),
  })
  return limits.chain(it => changeWithin(it, pathMatching(it.scope[0] ?? '**')))
}

function changeWithin(limits: ScopeLimits, path: fc.Arbitrary<string>): fc.Arbitrary<ScopeCase> {
  const kind = fc.constantFrom<EntryKind>('file', 'other', 'exec', 'link', 'gitlink')
  const tree = (minKeys: number) => fc.dictionary(path, kind, { minKeys, maxKeys: 2 }).map(withoutConflicts)
  return fc.record({ before: tree(0), after: tree(1) }).map(trees => ({ ...limits, ...trees }))
}

function scopeOf(first: fc.Arbitrary<string>, more: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return fc.tuple(first, fc.array(more, { maxLength: 2 })).map(([one, others]) => [one, ...others])
}

function pathOfSegments(parts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(parts, { minLength: 1, maxLength: 3 }).map(it => it.join('/'))
}

function negated(glob: string): string {
  return `!${glob}`
}

// Nothing can be a file and a folder at once.
function withoutConflicts(entries: EntryTree): EntryTree {
  const paths = Object.keys(entries)
  return Object.fromEntries(Object.entries(entries).filter(([at]) => !paths.some(it => it.startsWith(`${at}/`))))
}
