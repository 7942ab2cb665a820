import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listClaimRefs } from '../../../src/world/intents/sessions/claim-refs.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { runShell } from '../../rig/doctor-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import type { Repo } from '../../rig/repo.ts'
import { claimHolders, unselectedRepo, selectOrThrow, trySelect } from '../../rig/selection.ts'

const UUID = '11111111-2222-4333-8444-555555555555'
const CLAIM = '.git/refs/kotef/claims/INT-001'
const SESSION = `.git/kotef/sessions/${UUID}.json`
const at = (repo: Repo, path: string): string => join(repo.root, path)

test.each<[string, (repo: Repo) => Promise<unknown>, RegExp]>([
  ['the registry is gone', repo => rm(at(repo, '.orchestration/active_intents.yaml')), /active_intents\.yaml/],
  ['the folder is gone', repo => rm(at(repo, '.orchestration'), { recursive: true }), /active_intents\.yaml/],
  ['the registry is cut', repo => truncate(at(repo, '.orchestration/active_intents.yaml'), 90), /expected/],
  ['the registry is binary', repo => repo.write('.orchestration/active_intents.yaml', Buffer.from([255, 0])), /UTF-8/],
  [
    'the registry is a folder',
    async repo => {
      await rm(at(repo, '.orchestration/active_intents.yaml'))
      await mkdir(at(repo, '.orchestration/active_intents.yaml'))
    },
    /active_intents/,
  ],
  ['the config is none', repo => repo.write('.orchestration/config.yaml', 'claims: perhaps\n'), /deny or allow/],
  [
    'the ledger is a folder',
    async repo => {
      await rm(at(repo, '.orchestration/agent_trace.jsonl'), { force: true })
      await mkdir(at(repo, '.orchestration/agent_trace.jsonl'))
    },
    /ledger/,
  ],
])('FR-011: when %s, a selection is refused with the reason, and nothing is claimed', async (_, damage, why) => {
  await using repo = await unselectedRepo()
  await damage(repo)
  const { refusal } = await trySelect(repo)
  expect(refusal).toMatchObject({ code: 'orchestration-unavailable', message: expect.stringMatching(why) })
  expect(refusal?.message).toMatch(/^Orchestration unavailable: /)
  expect(refusal?.hint).not.toBe('')
  expect(await claimHolders(repo)).toEqual({})
})

test.each<[string, (repo: Repo) => Promise<unknown>]>([
  ['garbage', repo => repo.write(CLAIM, 'garbage\n')],
  ['nothing', repo => repo.write(CLAIM, '')],
  ['an object that is not there', repo => repo.write(CLAIM, `${'1'.repeat(40)}\n`)],
  ['a commit', repo => runShell(repo, 'git update-ref refs/kotef/claims/INT-001 HEAD')],
  ['another ref', repo => runShell(repo, 'git symbolic-ref refs/kotef/claims/INT-001 refs/heads/main')],
  [
    'text',
    repo => runShell(repo, 'git update-ref refs/kotef/claims/INT-001 $(echo hello | git hash-object -w --stdin)'),
  ],
  [
    'half a claim',
    repo =>
      runShell(repo, `git update-ref refs/kotef/claims/INT-001 $(echo '{"session":"x"' | git hash-object -w --stdin)`),
  ],
  ['a folder', repo => runShell(repo, `mkdir -p ${CLAIM}; git rev-parse HEAD > ${CLAIM}/x`)],
  ['a lock that nobody holds', repo => repo.write(`${CLAIM}.lock`, '')],
])('SC-007: a claim that is %s is refused, told of, and gone with the command that is named', async (_, damage) => {
  await using repo = await unselectedRepo()
  await repo.write('.git/refs/kotef/claims/.keep', '')
  await damage(repo)
  const before = await ledgerEvents(repo)
  const { refusal } = await trySelect(repo)
  expect(refusal).toMatchObject({ code: 'orchestration-unavailable', message: expect.stringContaining('INT-001') })
  expect(await ledgerEvents(repo)).toEqual(before)
  expect((await runCli(repo, 'session', 'list')).failure).toBeNull()
  expect((await runCli(repo, 'intent', 'start', 'INT-001')).failure?.code).toBe('orchestration-unavailable')
  const [, command = ''] = /`(.+)`/.exec(refusal?.hint ?? '') ?? []
  await runShell(repo, command)
  expect((await selectOrThrow(repo)).claim).toBe('held')
})

test('SC-007: a session file cut at any place is refused, told of by the doctor, and heals as it is said', async () => {
  await using repo = await unselectedRepo()
  await selectOrThrow(repo, { session: UUID })
  const whole = await readFile(at(repo, SESSION))
  for (const end of [0, 1, whole.length >> 1, whole.length - 3]) {
    await writeFile(at(repo, SESSION), whole.subarray(0, end))
    for (const wish of [{ intent: 'INT-001' }, { intent: 'INT-002' }]) {
      const { refusal } = await trySelect(repo, { session: UUID, ...wish })
      expect(refusal).toMatchObject({ code: 'orchestration-unavailable', message: expect.stringContaining(SESSION) })
    }
    // Nobody can say that it is over, so its claim holds.
    expect((await trySelect(repo, { session: 't' })).refusal?.code).toBe('claim-held')
  }
  expect((await runCli(repo, 'doctor')).text).toContain(SESSION)
  const { refusal } = await trySelect(repo, { session: UUID })
  await runShell(repo, /`(.+)`/.exec(refusal?.hint ?? '')?.[1] ?? '')
  expect(await selectOrThrow(repo, { session: UUID })).toMatchObject({ resumed: false, claim: 'held' })
})

test('an ended session whose file is cut is refused as well', async () => {
  await using repo = await unselectedRepo()
  await selectOrThrow(repo, { session: UUID })
  await runCli(repo, 'session', 'end', UUID)
  await truncate(at(repo, `.git/kotef/sessions/ended/${UUID}.json`), 20)
  expect((await trySelect(repo, { session: UUID })).refusal?.code).toBe('orchestration-unavailable')
  expect((await trySelect(repo, { session: 't' })).refusal).toBeNull()
})

test('the claims of a clone are listed when git has packed them, and without git when there are none', async () => {
  await using repo = await unselectedRepo()
  const workspace = await openWorkspace(repo.root)
  const git = { ...workspace.git, ask: () => Promise.reject(new Error('git was started')) }
  expect(await listClaimRefs({ ...workspace, git })).toEqual([])
  await selectOrThrow(repo)
  await repo.git('pack-refs', '--all')
  expect(await listClaimRefs(workspace)).toMatchObject([{ intent: 'INT-001', claim: { session: 's' } }])
})
