import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compiled, copyOf, hookedRepo } from '../../rig/hooked.ts'
import type { Repo } from '../../rig/repo.ts'

let template: Repo
let kinds: Readonly<Record<Kind, string>>
beforeAll(async () => {
  template = await hookedRepo()
  const [one, other, commit] = (await template.git('rev-parse', 'HEAD:lib/x.ts', 'HEAD:docs/b.md', 'HEAD')).split('\n')
  kinds = {
    file: `100644 ${one}`,
    other: `100644 ${other}`,
    exec: `100755 ${one}`,
    link: `120000 ${one}`,
    gitlink: `160000 ${commit}`,
  }
})
afterAll(() => template[Symbol.asyncDispose]())

type World = {
  readonly scope: readonly string[]
  readonly forbidden: readonly string[]
  readonly ignored: readonly string[]
  /** What HEAD has, and what the index has in its place: a kind of entry for each path; latin1 stands for bytes. */
  readonly before: Tree
  readonly after: Tree
}
type Tree = Readonly<Record<string, Kind>>
type Kind = 'file' | 'other' | 'exec' | 'link' | 'gitlink'

const kind = fc.constantFrom<Kind>('file', 'other', 'exec', 'link', 'gitlink')
const utf8 = (text: string) => Buffer.from(text).toString('latin1')
const names = [
  'a',
  'b',
  'a.ts',
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
  utf8('ü'),
  'a\xff',
  '\xc3',
]
const segment = fc.constantFrom(...names, 'a', 'a', 'b', 'a.ts')
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map(it => it.join('/'))
const tree = fc.dictionary(path, kind, { maxKeys: 2 }).map(withoutConflicts)
const part = fc.constantFrom('a', 'b', 'a.ts', '*', '*.ts', '**', '.d', '{a,b}', '[id]', '(g)', '@(a|b)', 'a**', '?')
const plainPart = fc.constantFrom('a', 'b', 'a.ts', '*', '*.ts', '**')
const globOf = (of: fc.Arbitrary<string>) => fc.array(of, { minLength: 1, maxLength: 3 }).map(it => it.join('/'))
const glob = fc.oneof({ weight: 6, arbitrary: globOf(plainPart) }, globOf(part))
const wide = fc.constantFrom('**', '**', '*/**', 'a/**', '{a,b}/**', '**/a.ts')
const taken = glob.map(it => `!${it}`)
const scope = fc.tuple(wide, fc.array(fc.oneof(glob, taken), { maxLength: 2 })).map(([first, more]) => [first, ...more])
const line = fc.constantFrom('*.ts', '/a/b', 'b/', 'a/**', '.d', '!a', '# a', 'a b')

const worlds: fc.Arbitrary<World> = fc.record({
  scope,
  forbidden: fc.array(glob, { maxLength: 1 }),
  ignored: fc.array(line, { maxLength: 1 }),
  before: tree,
  after: tree,
})

const bare = { forbidden: [], ignored: [], before: {} }

// Where git and micromatch part, and where a change is easily overlooked.
const traps: readonly World[] = [
  { ...bare, scope: ['a.ts'], after: { 'a.ts/b': 'file' } },
  { ...bare, scope: ['*.ts'], after: { '*.ts/a': 'file' } },
  { ...bare, scope: ['a/**'], after: { a: 'file' } },
  { ...bare, scope: ['**', '!a/**'], after: { 'a/b': 'file' } },
  { ...bare, scope: ['**'], after: { 'AGENTS.md': 'file' } },
  { ...bare, scope: ['**'], after: { '.intentignore': 'other' } },
  { ...bare, scope: ['{a,b}'], after: { a: 'file', b: 'link' } },
  { ...bare, scope: ['a/**'], before: { 'b/a': 'file' }, after: { 'a/b': 'file' } },
  { ...bare, scope: ['a/**'], before: { 'a/a': 'file', 'b/b': 'file' }, after: { 'a/a': 'exec', 'b/b': 'exec' } },
  { ...bare, scope: ['a/**'], before: { 'b/b': 'gitlink' }, after: { 'b/b': 'file' } },
  { ...bare, scope: ['a/**'], after: { 'a/\xff': 'file' } },
  { ...bare, scope: ['a/**'], after: { [utf8('a/ü')]: 'gitlink' } },
  { ...bare, scope: ['a/**'], forbidden: ['a/*.ts'], after: { 'a/a.ts': 'file' } },
  { ...bare, scope: ['a/**'], ignored: ['b'], after: { 'a/b/a': 'file' } },
  { ...bare, scope: ['**/a.ts'], after: { 'a.ts': 'file', 'b/b/a.ts': 'link' } },
  { ...bare, scope: ['a/*'], after: { 'a/b/a': 'file' } },
]

describe('whatever the fast path passes, the full judgement passes', () => {
  let fast = 0

  test.each<[string, readonly World[], number]>([
    ['where git and micromatch part', traps, 0],
    ['in generated repositories', [], 40],
  ])('%s', async (_, given, generated) => {
    await using repo = await copyOf(template)
    await repo.write('../no-node', '#!/bin/sh\nexit 1\n', 0o755)
    const property = fc.asyncProperty(worlds, async world => {
      if (await bothPass(repo, world)) fast++
    })
    const examples = given.map((it): [World] => [it])
    await fc.assert(property, { numRuns: given.length + generated, seed: 7, examples })
  })

  test('and it passes a good part of them', () => expect(fast).toBeGreaterThan(8))
})

/** Whether the fast path passes what this world changes; the full judgement must pass it as well then. */
async function bothPass(repo: Repo, world: World): Promise<boolean> {
  await commit(repo, world)
  await compiled(repo)
  await repo.write('../after', entriesOf(world.after))
  // Without node the long way ends at once, and in a refusal.
  const { code } = await play(repo, `echo "$PWD/../no-node" >.git/kotef/node; ${STAGE('after')}; ${HOOK}`)
  if (code !== 0) return false
  const full = await play(repo, `rm .git/kotef/node .git/kotef/compiled/active; ${HOOK}`)
  expect(full).toMatchObject({ code: 0, stderr: '' })
  return (await play(repo, 'git diff --cached --quiet --ignore-submodules=none')).code === 1
}

const play = (repo: Repo, commands: string) => repo.run('sh', ['-c', commands])
const HOOK = 'sh .git/hooks/pre-commit'
const STAGE = (name: string) =>
  `git read-tree --empty; git add .orchestration .sdd .intentignore; git update-index -z --add --index-info <../${name}`

// The policy counts as committed: what HEAD says of it is what the worktree says.
async function commit(repo: Repo, { scope, forbidden, ignored, before }: World): Promise<void> {
  const intent = `{ id: INT-001, name: w, status: IN_PROGRESS, owned_scope: ${JSON.stringify(scope)} }`
  await repo.write('.orchestration/active_intents.yaml', `active_intents:\n  - ${intent}\n`)
  await repo.write('.sdd/KOTEF.md', `## Forbidden Paths\n\n${forbidden.map(it => `- \`${it}\`\n`).join('')}`)
  await repo.write('.intentignore', ignored.map(it => `${it}\n`).join(''))
  await repo.write('../before', entriesOf(before))
  await play(repo, `${STAGE('before')}; git -c core.hooksPath=/dev/null commit -qm world --allow-empty`)
}

function entriesOf(entries: Tree): Buffer {
  const lines = Object.entries(entries).map(([at, kind]) => `${kinds[kind]}\t${at}\0`)
  return Buffer.from(lines.join(''), 'latin1')
}

// Nothing can be a file and a folder at once.
function withoutConflicts(entries: Tree): Tree {
  const paths = Object.keys(entries)
  return Object.fromEntries(Object.entries(entries).filter(([at]) => !paths.some(it => it.startsWith(`${at}/`))))
}
