import { describe, expect, test } from 'vitest'
import { splitRegistry, withFields, withIntent, withStatus } from '../../src/core/intents/edit-yaml.ts'
import { mergeRegistryFile } from '../../src/core/intents/merge-registry.ts'
import { registryParts, withParts } from '../../src/core/intents/registry-text.ts'
import { readRegistry } from '../../src/core/intents/registry.ts'
import { openBlobs } from '../../src/world/io/git/blobs.ts'
import { readRegistryText } from '../../src/world/io/worktree/head.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const LIST = `version: 1
active_intents:
  - { id: INT-001, name: one, status: PENDING, owned_scope: ["a/**"] }
  # two follows
  - id: INT-002
    name: two
    status: PENDING # for now
    owned_scope: ["b/**"]
  - { id: INT-003, name: three, status: COMPLETED }
`
const FILES = splitRegistry(LIST)

/** What a registry verb does to an intent; `n` is the number of the one that a branch adds. */
type RegistryVerb = (base: string, id: string, n: number) => string

const VERBS: Readonly<Record<string, RegistryVerb>> = {
  add: (base, _, n) => withNew(base, n),
  'add two': (base, _, n) => withNew(withNew(base, n), n + 10),
  'edit the name': (base, id) => withFields(base, id, { name: 'other' }),
  widen: (base, id, n) => withFields(base, id, { owned_scope: ['a/**', `c${n}/**`] }),
  constrain: (base, id, n) => withFields(base, id, { constraints: [`no ${n}`] }),
  block: (base, id) => withStatus(base, id, 'BLOCKED'),
  complete: (base, id) => withStatus(base, id, 'COMPLETED'),
  abandon: (base, id) => withStatus(base, id, 'ABANDONED'),
  reopen: base => withStatus(base, 'INT-003', 'PENDING'),
  neighbours: (base, id) => withFields(withStatus(base, id, 'BLOCKED'), id, { name: 'x', description: 'y' }),
  nothing: base => base,
}

/** The fields without a list that the verbs set. */
const DECISIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'edit the name': { name: 'other' },
  block: { status: 'BLOCKED' },
  complete: { status: 'COMPLETED' },
  abandon: { status: 'ABANDONED' },
  neighbours: { name: 'x', description: 'y', status: 'BLOCKED' },
}

function withNew(base: string, n: number): string {
  const intent = { id: `INT-0${n}`, name: `new ${n}`, status: 'PENDING', created_at: '2026-11-23T00:00:00Z' } as const
  return withIntent(base, intent, { ownFile: base.includes('\0') })
}

const cells = Object.keys(VERBS).flatMap(mine => Object.keys(VERBS).map(other => [mine, other] as const))

describe.each([
  ['in the list', LIST],
  ['in files of their own', FILES],
])('for all pairs of registry verbs on two branches, on intents %s', (_, base) => {
  test('those on two intents never conflict, merged or rebased (team S6)', () => {
    for (const [mine, other] of cells) {
      const [ours, theirs] = [edited(base, mine, 'INT-001', 11), edited(base, other, 'INT-002', 12)]
      const all = [merged({ base, ours, theirs }), merged({ base, ours: theirs, theirs: ours })]
      for (const { conflicts, text } of all)
        expect({ mine, other, conflicts, problems: readRegistry(text).problems }).toEqual({
          mine,
          other,
          conflicts: [],
          problems: [],
        })
    }
  })

  test('those on one intent conflict only where both set a field to another value (team S6)', () => {
    for (const id of ['INT-001', 'INT-002'])
      for (const [mine, other] of cells) {
        const [ours, theirs] = [edited(base, mine, id, 11), edited(base, other, id, 12)]
        const [set, setThere] = [DECISIONS[mine] ?? {}, DECISIONS[other] ?? {}]
        const fields = Object.keys(set).filter(it => it in setThere && set[it] !== setThere[it])
        const wanted =
          fields.length === 0 ? [] : [expect.stringMatching(`^both sides changed .*${fields[0]}.* of ${id}$`)]
        for (const sides of [
          { ours, theirs },
          { ours: theirs, theirs: ours },
        ])
          expect({ mine, other, conflicts: merged({ base, ...sides }).conflicts }).toEqual({
            mine,
            other,
            conflicts: wanted,
          })
      }
  })
})

function edited(base: string, verb: string, id: string, n: number): string {
  return VERBS[verb]?.(base, id, n) ?? base
}

/** As git merges each file that both sides have changed. */
function merged({ base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>) {
  const textIn = (registry: string, path: string) => registryParts(registry).find(it => it.path === path)?.text ?? ''
  const paths = new Set([ours, theirs].flatMap(registryParts).map(it => it.path))
  const conflicts: string[] = []
  const parts = [...paths].map(path => {
    const versions = { base: textIn(base, path), ours: textIn(ours, path), theirs: textIn(theirs, path) }
    const merge = mergeRegistryFile(versions, { path, plain: null, markerSize: 7 })
    conflicts.push(...(merge?.conflicts ?? ['unreadable']))
    return { path, text: merge?.text ?? '' }
  })
  return { text: withParts(parts), conflicts }
}

test('where each intent has a file, git needs no driver for verbs on two intents (team S6)', async () => {
  await using repo = await temporaryRepo()
  const base = await commitOf(repo, FILES, [])
  const sideOf = async (id: string, n: number) => {
    const side: [name: string, commit: string][] = []
    for (const verb of Object.keys(VERBS)) side.push([verb, await commitOf(repo, edited(FILES, verb, id, n), [base])])
    return side
  }
  const [ours, theirs] = [await sideOf('INT-001', 11), await sideOf('INT-002', 12)]
  for (const [mine, one] of ours)
    for (const [other, two] of theirs) {
      const { code } = await repo.run('git', ['merge-tree', '--write-tree', one, two])
      expect({ mine, other, code }).toEqual({ mine, other, code: 0 })
    }
})

/** Set up by `kotef init`, so git has the merge driver; its commits are made without hooks. */
const governed = fixture(async () => {
  const repo = await hookedRepo({ registry: LIST, start: null })
  await repo.git('config', 'core.hooksPath', '/dev/null')
  return repo
})

describe.concurrent.each([
  ['in the list', LIST],
  ['in files of their own', FILES],
])('git merges and rebases intents %s by the driver', (_, registry) => {
  test.each(['add', 'widen', 'block', 'neighbours'])('%s', async verb => {
    await using repo = await copyGoverned(governed())
    const [ours, theirs] = [edited(registry, verb, 'INT-001', 11), edited(registry, verb, 'INT-002', 12)]
    const { one, two } = await sides(repo, { base: registry, ours, theirs })
    const wanted = merged({ base: registry, ours, theirs }).text
    await repo.git('checkout', '--quiet', '--detach', one)
    await repo.git('merge', '--quiet', '--no-edit', two)
    expect(readRegistry(await registryAtHead(repo)).intents).toEqual(readRegistry(wanted).intents)
    await repo.git('checkout', '--quiet', '--detach', two)
    await repo.git('rebase', '--quiet', one)
    expect(readRegistry(await registryAtHead(repo)).intents).toEqual(readRegistry(wanted).intents)
  })

  test.each([
    ['two decisions', 'block', 'complete', 'both sides changed status of INT-002'],
    ['two names', 'edit the name', 'neighbours', 'both sides changed name of INT-002'],
  ])('and leaves %s to a person', async (_title, mine, other, why) => {
    await using repo = await copyGoverned(governed())
    const [ours, theirs] = [edited(registry, mine, 'INT-002', 11), edited(registry, other, 'INT-002', 12)]
    const { one, two } = await sides(repo, { base: registry, ours, theirs })
    for (const command of [`git merge -q ${two}`, `git rebase -q ${two}`]) {
      const { code, stderr } = await repo.play(`git checkout -q --detach ${one}; ${command}`)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) })
      expect((await repo.kotef('status')).stdout + (await repo.kotef('intent', 'list')).stderr).toContain('conflict')
      await repo.play('git merge --abort 2>/dev/null || git rebase --abort')
    }
  })
})

test('one id that two branches add has two meanings, and git says so (solo A4)', async () => {
  await using repo = await copyGoverned(governed())
  const add = (name: string) =>
    withIntent(LIST, { id: 'INT-004', name, status: 'PENDING', created_at: `2026-11-2${name.length}` })
  const { one, two } = await sides(repo, { base: LIST, ours: add('our'), theirs: add('theirs') })
  const { code, stderr } = await repo.play(`git checkout -q --detach ${one}; git merge -q ${two}`)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('INT-004 has two meanings') })
})

async function sides(repo: Repo, { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>) {
  const parent = await commitOf(repo, base, [(await repo.git('rev-parse', 'HEAD')).trim()])
  return { one: await commitOf(repo, ours, [parent]), two: await commitOf(repo, theirs, [parent]) }
}

async function registryAtHead(repo: Repo): Promise<string> {
  await using blobs = openBlobs(repo.root)
  return (await readRegistryText(blobs, 'HEAD')) ?? ''
}

/** A commit with a registry, without a worktree. */
async function commitOf(repo: Repo, registry: string, parents: readonly string[]): Promise<string> {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const files = registryParts(registry).map(({ path, text }) => `M 100644 inline ${path}\n${data(text)}`)
  const from = parents.map(it => `from ${it}\n`).join('')
  const head = `commit refs/x\nmark :1\ncommitter a <a@b> 0 +0000\n${data('x')}${from}`
  await repo.write('.git/stream', `${head}${files.join('')}\nget-mark :1\n`)
  const made = await repo.run('sh', ['-c', 'git fast-import --quiet --force --cat-blob-fd=1 <.git/stream'])
  return made.stdout.trim()
}
