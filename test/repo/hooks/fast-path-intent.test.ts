import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedWrites, startWatching } from '../../rig/governed-repo.ts'
import { compileRepo, copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { backdatePolicyFiles, copyWithSlowPathTrap, runTracingGit } from '../../rig/slow-path.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: work, owned_scope: ["src/**", "both/**"] }
  - { id: INT-002, name: docs, owned_scope: ["docs/**", "both/**"] }
`

// The session on INT-001 has ended, and so nobody lives here.
const template = fixture(async () => {
  const made = await hookedRepo({ registry: REGISTRY })
  await runCliOrThrow(made, 'session', 'end')
  await backdatePolicyFiles(made)
  return made
})

const IDS = '%(trailers:key=Intent-ID,valueonly,separator=%x2C)'
const headIds = async (repo: Repo) => (await repo.git('log', '-1', `--format=${IDS}`)).trim()
const change = async (repo: Repo, path: string) =>
  void (await repo.play(`mkdir -p $(dirname ${path}); echo more >>${path}; git add ${path}`))

/** Records a write of a path as it is on disk, for an intent, as the daemon does. */
async function record(repo: Repo, path: string, intent: string): Promise<void> {
  const oid = async (command: string) => (await repo.play(command)).stdout.trim() || null
  const [before, after] = [await oid(`git rev-parse -q --verify HEAD:${path}`), await oid(`git hash-object ${path}`)]
  const related = [{ type: 'intent' as const, url: `intent:${intent}`, value: intent }]
  const conversations = [{ contributor: { type: 'ai' as const }, ranges: [], related }]
  const kotef = { op: 'modify' as const, before, after, removed: [] }
  await appendRecords(await openWorkspace(repo.root), [
    {
      event: { event: 'write', attribution: 'claimed', source: 'daemon' },
      files: [{ path, relative_path: path, conversations, kotef }],
    },
  ])
}

describe('without a live session', () => {
  test("the branch's own intent is stamped without Node, and git is asked once (solo A1)", async () => {
    await using repo = await copyWithSlowPathTrap(template())
    const { code, stderr, calls } = await runTracingGit(repo, 'echo x >>src/a.ts; git commit -qam w')
    expect({ code, stderr, calls }).toEqual({ code: 0, stderr: '', calls: ['commit', 'diff-index'] })
    expect(await headIds(repo)).toBe('INT-001')
  })

  test.each([
    ['another branch', 'git switch -qc other'],
    ['a detached HEAD', 'git switch -q --detach'],
    ['a fixup', ':', "-m 'fixup! adopt kotef'"],
  ])('%s takes the long way', async (_, commands, message = '-m w') => {
    await using repo = await copyWithSlowPathTrap(template())
    const { stderr } = await repo.play(`${commands}; echo x >>src/a.ts; git commit -qa ${message}`)
    expect(stderr).toContain('takes the long way')
  })

  test('each branch is compiled when it is committed on', async () => {
    await using repo = await copyGoverned(template())
    await repo.play('git switch -qc docs')
    await runCliOrThrow(repo, 'intent', 'start', 'INT-002')
    await runCliOrThrow(repo, 'session', 'end')
    for (const [branch, intent] of [
      ['main', 'INT-001'],
      ['docs', 'INT-002'],
    ] as const) {
      await repo.play(`git switch -q ${branch}; mkdir -p both; echo ${branch} >>both/b; git add both; git commit -qm w`)
      expect(await headIds(repo)).toBe(intent)
      expect(await repo.read('.git/kotef/compiled/active')).toContain(`# ${intent}\n`)
    }
  })

  test('lines that were written for another intent close it, and their commit opens it again', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'intent', 'start', 'INT-002', '--agent', 'aider')
    await using _daemon = await startWatching(repo)
    await repo.write('both/b', 'more\n')
    await flushedWrites(repo)
    await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
    await runCliOrThrow(repo, 'session', 'end')
    await expect(repo.read('.git/kotef/compiled/active')).rejects.toThrow('ENOENT')
    await repo.git('add', 'both')
    await repo.git('commit', '-qm', 'w')
    expect(await headIds(repo)).toBe('INT-002')
    await expect
      .poll(() => repo.read('.git/kotef/compiled/active').catch(() => ''), { timeout: 20_000 })
      .toContain('INT-001')
  })

  test('a write that is recorded for another intent closes it at once', async () => {
    await using repo = await copyGoverned(template())
    expect(await compileRepo(repo)).toBe(true)
    await change(repo, 'both/b')
    await record(repo, 'both/b', 'INT-002')
    await repo.git('commit', '-qm', 'w')
    expect(await headIds(repo)).toBe('INT-002')
  })
})

const anyWorld = fc.record({
  live: fc.constantFrom(null, 'INT-001', 'INT-002'),
  written: fc.array(
    fc.record({
      path: fc.constantFrom('both/b', 'src/a.ts', 'docs/b.md'),
      intent: fc.constantFrom('INT-001', 'INT-002'),
      isCompiledBefore: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  edited: fc.subarray(['both/b', 'src/a.ts', 'docs/b.md', 'both/c'], { minLength: 1 }),
})

test('a commit that the shell stamps is for the intents that Node finds out', async () => {
  let fast = 0
  const property = fc.asyncProperty(anyWorld, async ({ live, written, edited }) => {
    await using repo = await copyGoverned(template())
    if (live !== null) await runCliOrThrow(repo, 'intent', 'start', live)
    for (const { path, intent, isCompiledBefore } of written) {
      if (isCompiledBefore) await compileRepo(repo)
      await change(repo, path)
      await record(repo, path, intent)
      if (!isCompiledBefore) await compileRepo(repo)
    }
    for (const path of edited) await change(repo, path)
    const bundle = await repo.read('.git/kotef/hook.cjs')
    await repo.write('.git/kotef/hook.cjs', 'process.exit(88)\n')
    if ((await repo.run('git', ['commit', '-qm', 'w'])).code !== 0) return
    fast++
    const stamped = await headIds(repo)
    await repo.write('.git/kotef/hook.cjs', bundle)
    await repo.play('git update-ref HEAD HEAD^; rm .git/kotef/compiled/active; git commit -qm w')
    expect(await headIds(repo)).toBe(stamped)
  })
  await fc.assert(property, { numRuns: 14, seed: 11 })
  expect(fast).toBeGreaterThanOrEqual(3)
})
