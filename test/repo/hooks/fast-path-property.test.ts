import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileRepo, copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import {
  braceCase,
  type EntryKind,
  ownedCase,
  type EntryTree,
  utf8AsLatin1,
  type ScopeCase,
} from '../../rig/scope-arbitraries.ts'

let template: Repo
let kinds: Readonly<Record<EntryKind, string>>
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

const bare = { forbidden: [], ignored: [], before: {} }

// Where git and micromatch part, and where a change is easily overlooked.
const traps: readonly ScopeCase[] = [
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
  { ...bare, scope: ['a/**'], after: { [utf8AsLatin1('a/ü')]: 'gitlink' } },
  { ...bare, scope: ['a/**'], forbidden: ['a/*.ts'], after: { 'a/a.ts': 'file' } },
  { ...bare, scope: ['a/**'], forbidden: ['a/b/**'], after: { 'a/b': 'link' } },
  { ...bare, scope: ['**', '!a/**'], after: { a: 'link' } },
  { ...bare, scope: ['a/**'], ignored: ['b'], after: { 'a/b/a': 'file' } },
  { ...bare, scope: ['**/a.ts'], after: { 'a.ts': 'file', 'b/b/a.ts': 'link' } },
  { ...bare, scope: ['a/*'], after: { 'a/b/a': 'file' } },
]

describe('whatever the fast path passes, the full judgement passes', () => {
  test.each<
    [string, fc.Arbitrary<ScopeCase>, { examples: readonly ScopeCase[]; generated: number; fastAtLeast: number }]
  >([
    ['where git and micromatch part', ownedCase, { examples: traps, generated: 0, fastAtLeast: 3 }],
    ['mostly what the intent owns', ownedCase, { examples: [], generated: 11, fastAtLeast: 9 }],
    ['mostly what a scope with lists owns', braceCase, { examples: [], generated: 7, fastAtLeast: 4 }],
  ])('%s', async (_, worlds, { examples, generated, fastAtLeast }) => {
    await using repo = await copyGoverned(template)
    await repo.write('../no-node', '#!/bin/sh\nexit 1\n', 0o755)
    let fast = 0
    const property = fc.asyncProperty(worlds, async world => {
      if (await bothPass(repo, world)) fast++
    })
    const given = examples.map((it): [ScopeCase] => [it])
    await fc.assert(property, { numRuns: given.length + generated, seed: 7, examples: given })
    expect(fast).toBeGreaterThanOrEqual(fastAtLeast)
  })
})

/** Whether the fast path passes what this world changes; the full judgement must pass it as well then. */
async function bothPass(repo: Repo, world: ScopeCase): Promise<boolean> {
  await commit(repo, world)
  await compileRepo(repo)
  await repo.write('../after', entriesOf(world.after))
  // Without node the long way ends at once, and in a refusal.
  const { code } = await repo.play(`echo "$PWD/../no-node" >.git/kotef/node; ${STAGE('after')}; ${HOOK}`)
  if (code !== 0) return false
  const changed = 'git diff --cached --quiet --ignore-submodules=none || echo changed'
  const full = await repo.play(`${changed}; rm .git/kotef/node .git/kotef/compiled/active; ${HOOK}`)
  expect(full).toMatchObject({ code: 0, stderr: '' })
  return full.stdout === 'changed\n'
}

const HOOK = 'sh .git/hooks/pre-commit'
const STAGE = (name: string) =>
  `git read-tree --empty; git add .orchestration .sdd .intentignore; git update-index -z --add --index-info <../${name}`

// The policy counts as committed: what HEAD says of it is what the worktree says.
async function commit(repo: Repo, { scope, forbidden, ignored, before }: ScopeCase): Promise<void> {
  const intent = `{ id: INT-001, name: w, status: IN_PROGRESS, owned_scope: ${JSON.stringify(scope)} }`
  await repo.write('.orchestration/active_intents.yaml', `active_intents:\n  - ${intent}\n`)
  await repo.write('.sdd/KOTEF.md', `## Forbidden Paths\n\n${forbidden.map(it => `- \`${it}\`\n`).join('')}`)
  await repo.write('.intentignore', ignored.map(it => `${it}\n`).join(''))
  await repo.write('../before', entriesOf(before))
  await repo.play(`${STAGE('before')}; git -c core.hooksPath=/dev/null commit -qm world --allow-empty`)
}

function entriesOf(entries: EntryTree): Buffer {
  const lines = Object.entries(entries).map(([at, kind]) => `${kinds[kind]}\t${at}\0`)
  return Buffer.from(lines.join(''), 'latin1')
}
