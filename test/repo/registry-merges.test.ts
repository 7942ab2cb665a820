import { expect, test } from 'vitest'
import { splitRegistry, withFields, withIntent, withStatus } from '../../src/intents/edit-yaml.ts'
import { registryParts } from '../../src/intents/registry-text.ts'
import { readRegistry } from '../../src/intents/registry.ts'
import { openBlobs } from '../../src/io/git/blobs.ts'
import { readRegistryText } from '../../src/worktree/head.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const BASE = splitRegistry(`version: 1
active_intents:
  - { id: INT-001, name: one, status: PENDING, owned_scope: ["a/**"] }
  - { id: INT-002, name: two, status: PENDING, owned_scope: ["b/**"] }
  - { id: INT-003, name: three, status: COMPLETED }
`)

/** What a registry verb does to an intent; `n` is the number of the one that a branch adds. */
const EDITS: Readonly<Record<string, (id: string, n: number) => string>> = {
  add: (_, n) => withIntent(BASE, newIntent(n), { ownFile: true }),
  'add two': (_, n) =>
    withIntent(withIntent(BASE, newIntent(n), { ownFile: true }), newIntent(n + 10), { ownFile: true }),
  'edit the name': id => withFields(BASE, id, { name: 'other' }),
  widen: id => withFields(BASE, id, { owned_scope: ['a/**', 'c/**'] }),
  constrain: id => withFields(BASE, id, { constraints: ['no'] }),
  block: id => withStatus(BASE, id, 'BLOCKED'),
  complete: id => withStatus(BASE, id, 'COMPLETED'),
  abandon: id => withStatus(BASE, id, 'ABANDONED'),
  reopen: () => withStatus(BASE, 'INT-003', 'PENDING'),
  neighbours: id => withFields(withStatus(BASE, id, 'BLOCKED'), id, { name: 'x', description: 'y' }),
  nothing: () => BASE,
}

function newIntent(n: number) {
  return { id: `INT-0${n}`, name: 'new', status: 'PENDING', created_at: '2026-11-23T00:00:00Z' } as const
}

test('no two registry verbs on two intents conflict where each intent has a file (team S6)', async () => {
  await using repo = await temporaryRepo()
  const base = await commitOf(repo, BASE, [])
  const sideOf = async (id: string, n: number) => {
    const side: [name: string, commit: string][] = []
    for (const [name, edit] of Object.entries(EDITS)) side.push([name, await commitOf(repo, edit(id, n), [base])])
    return side
  }
  const [ours, theirs] = [await sideOf('INT-001', 11), await sideOf('INT-002', 12)]
  await using blobs = openBlobs(repo.root)
  for (const [mine, one] of ours)
    for (const [other, two] of theirs) {
      const { code, stdout } = await repo.run('git', ['merge-tree', '--write-tree', one, two])
      expect({ mine, other, code }).toEqual({ mine, other, code: 0 })
      const { intents, problems } = readRegistry((await readRegistryText(blobs, stdout.trim())) ?? '')
      expect({ mine, other, problems, isWhole: intents.length >= 3 }).toEqual({
        mine,
        other,
        problems: [],
        isWhole: true,
      })
    }
})

/** A commit with a registry, without a worktree. */
async function commitOf(repo: Repo, registry: string, parents: readonly string[]): Promise<string> {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const files = registryParts(registry).map(({ path, text }) => `M 100644 inline ${path}\n${data(text)}`)
  const from = parents.map(it => `from ${it}\n`).join('')
  const head = `commit refs/x\nmark :1\ncommitter a <a@b> 0 +0000\n${data('x')}${from}`
  await repo.write('stream', `${head}${files.join('')}\nget-mark :1\n`)
  return (await repo.run('sh', ['-c', 'git fast-import --quiet --force --cat-blob-fd=1 <stream'])).stdout.trim()
}
