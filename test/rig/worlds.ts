import fc from 'fast-check'

/** What limits a change, and a change: what HEAD has, and what the index has in its place. */
export type World = Limits & { readonly before: Tree; readonly after: Tree }

/** What an intent owns, and what is closed to it. */
export type Limits = {
  readonly scope: readonly string[]
  readonly forbidden: readonly string[]
  readonly ignored: readonly string[]
}

/** A kind of entry for each path; latin1 stands for bytes. */
export type Tree = Readonly<Record<string, Kind>>
export type Kind = 'file' | 'other' | 'exec' | 'link' | 'gitlink'

/** The UTF-8 of a text, as latin1. */
export const utf8 = (text: string) => Buffer.from(text).toString('latin1')

const strange = ['*.ts', '.d', 'A', 'a b', '"q"', '\\', '-f', '[id]', '(g)', 'x\ny', utf8('ü'), 'a\xff', '\xc3']
const tame = fc.constantFrom('a', 'b', 'a.ts')
const segment = fc.oneof({ weight: 1, arbitrary: tame }, fc.constantFrom(...strange))
const tamer = fc.oneof({ weight: 9, arbitrary: tame }, fc.constantFrom(...strange))

/** Any path. */
export const anyPath = joined(segment)

const part = fc.constantFrom('a', 'b', 'a.ts', '*', '*.ts', '**', '.d', '{a,b}', '[id]', '(g)', '@(a|b)', 'a**', '?')
const plainGlob = joined(fc.constantFrom('a', 'b', 'a.ts', '*', '*.ts', '**'))
const anyGlob = fc.oneof({ weight: 6, arbitrary: plainGlob }, joined(part))
const wideGlob = fc.constantFrom('**', '*/**', 'a/**', '**/a.ts', '**/*.ts')
const braceGlob = fc.constantFrom('{a,b}/**', '{a,b,.d}/*', '**/{a,b}', '{a,b}/{a.ts,b}', '{a,b}/**/*.ts')
const ignoredLine = fc.constantFrom('*.ts', '/a/b', 'b/', 'a/**', '.d', 'a b')

/** Limits that git and kotef may well read differently. */
export const anyLimits: fc.Arbitrary<Limits> = fc.record({
  scope: scopeOf(fc.oneof(wideGlob, braceGlob, anyGlob), fc.oneof(anyGlob, anyGlob.map(taken))),
  forbidden: fc.array(anyGlob, { maxLength: 1 }),
  ignored: fc.array(fc.oneof(ignoredLine, fc.constantFrom('!a', '# a')), { maxLength: 1 }),
})

/** A change of what the first glob of a scope takes in, which little else stands against. */
export const ownedWorld = worldIn(scopeOf(wideGlob, fc.oneof(plainGlob, fc.constantFrom('!b/*/**', '!**/b/a'))))

/** As `ownedWorld`, where that glob lists alternatives. */
export const braceWorld = worldIn(scopeOf(braceGlob, plainGlob))

/** A path that a glob of names, stars and lists takes in; what else a glob says is taken by its letters. */
export function pathIn(glob: string): fc.Arbitrary<string> {
  const parts = glob.replace(/^!/, '').split('/').map(partIn)
  return fc.tuple(...parts).map(it => it.flat().join('/') || 'a')
}

function partIn(part: string): fc.Arbitrary<readonly string[]> {
  if (part === '**') return fc.array(tamer, { minLength: 1, maxLength: 2 })
  const alternatives = /^\{(.*)\}$/.exec(part)?.[1]?.split(',') ?? [part]
  const names = part === '*' ? tamer : fc.constantFrom(...alternatives.map(it => it.replace(/\*+/, 'a')))
  return names.map(it => [it])
}

function worldIn(scopes: fc.Arbitrary<string[]>): fc.Arbitrary<World> {
  const limits = fc.record({
    scope: scopes,
    forbidden: fc.array(fc.constantFrom('b/b/**', '**/b/*.ts'), { maxLength: 1 }),
    ignored: fc.array(fc.constantFrom('/b/a/', '*.pem'), { maxLength: 1 }),
  })
  return limits.chain(it => changedBy(it, pathIn(it.scope[0] ?? '**')))
}

function changedBy(limits: Limits, path: fc.Arbitrary<string>): fc.Arbitrary<World> {
  const kind = fc.constantFrom<Kind>('file', 'other', 'exec', 'link', 'gitlink')
  const tree = (minKeys: number) => fc.dictionary(path, kind, { minKeys, maxKeys: 2 }).map(withoutConflicts)
  return fc.record({ before: tree(0), after: tree(1) }).map(trees => ({ ...limits, ...trees }))
}

function scopeOf(first: fc.Arbitrary<string>, more: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  return fc.tuple(first, fc.array(more, { maxLength: 2 })).map(([one, others]) => [one, ...others])
}

function joined(parts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(parts, { minLength: 1, maxLength: 3 }).map(it => it.join('/'))
}

function taken(glob: string): string {
  return `!${glob}`
}

// Nothing can be a file and a folder at once.
function withoutConflicts(entries: Tree): Tree {
  const paths = Object.keys(entries)
  return Object.fromEntries(Object.entries(entries).filter(([at]) => !paths.some(it => it.startsWith(`${at}/`))))
}
