import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../rig/manual-clock.ts'
import { runCli } from '../../rig/command-line.ts'
import { runShell } from '../../rig/doctor-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import {
  claimHolders,
  MIXED_REGISTRY,
  unselectedRepo,
  selectOrThrow,
  trySelect,
  addWorktree,
} from '../../rig/selection.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const HOUR = 3_600_000

describe('a selection', () => {
  test('binds the session, claims the intent and is told, and changes no tracked file (solo A6)', async () => {
    await using repo = await unselectedRepo()
    const { session, intent, resumed, overlaps, drift, claim } = await selectOrThrow(repo, { model: 'm' })
    const head = (await repo.git('rev-parse', 'HEAD')).trim()
    expect(session).toMatchObject({ id: 's', kind: 'agent', agent: 'claude', model: 'm', declared: false })
    expect({ resumed, claim, status: intent.status }).toEqual({ resumed: false, claim: 'held', status: 'IN_PROGRESS' })
    expect(session.baseCommit).toBe(head)
    expect(overlaps).toEqual([{ intent: 'INT-002', paths: 1, example: 'src/a.ts' }])
    expect(drift).toEqual({ base: head, head, commits: 0, files: [] })
    expect(await repo.read(REGISTRY)).toBe(MIXED_REGISTRY)
    expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
    expect((await ledgerEvents(repo)).slice(-2)).toMatchObject([
      { event: 'transition', intent: 'INT-001', from: 'PENDING', to: 'IN_PROGRESS' },
      { event: 'session-started', session: 's', intent: 'INT-001', agent: 'claude' },
    ])
  })

  test('is the same when it is repeated, and told once', async () => {
    await using repo = await unselectedRepo()
    const clock = manualClock()
    const first = await selectOrThrow(repo, { clock })
    const before = await ledgerEvents(repo)
    expect(await selectOrThrow(repo, { clock })).toEqual({ ...first, resumed: true })
    expect(await ledgerEvents(repo)).toEqual(before)
  })

  test('FR-013: of another intent is refused to a session that has one, also when that has ended', async () => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo)
    const second = await trySelect(repo, { intent: 'INT-002' })
    expect(second.refusal).toMatchObject({ code: 'session-locked', hint: expect.stringContaining('new session') })
    expect(second.refusal?.message).toContain('INT-001')
    await runCli(repo, 'session', 'end', 's')
    expect((await trySelect(repo, { intent: 'INT-002' })).refusal?.code).toBe('session-locked')
    expect(await claimHolders(repo)).toEqual({})
  })

  test.each([
    { intent: 'INT-404', code: 'unknown-intent', says: /INT-001 {2}work[^]*INT-006/ },
    { intent: 'INT-003', code: 'illegal-transition', says: /BLOCKED.*kotef intent start INT-003/s },
    { intent: 'INT-004', code: 'illegal-transition', says: /final/ },
    { intent: 'INT-005', code: 'illegal-transition', says: /final/ },
    { intent: 'INT-006', code: 'dependency-unmet', says: /INT-002 \(PENDING\)/ },
  ])('FR-007, SC-006: of $intent is refused: $code, and nothing is changed', async ({ intent, code, says }) => {
    await using repo = await unselectedRepo()
    const before = await ledgerEvents(repo)
    const { refusal } = await trySelect(repo, { intent })
    expect(refusal?.code).toBe(code)
    expect(`${refusal?.message}\n${refusal?.hint}`).toMatch(says)
    expect(await repo.read(REGISTRY)).toBe(MIXED_REGISTRY)
    expect(await ledgerEvents(repo)).toEqual(before)
    expect(await claimHolders(repo)).toEqual({})
  })

  test('a name that is no file’s is a session as well, and one that differs in case another', async () => {
    await using repo = await unselectedRepo()
    const names = ['../../../x', 'a/b', 'A/b', '\u0000', '.', `${'x'.repeat(500)}`]
    const outcomes = []
    for (const session of names) outcomes.push(await trySelect(repo, { session, intent: 'INT-001' }))
    expect(outcomes.map(it => it.refusal?.code ?? null)).toEqual([null, ...names.slice(1).map(() => 'claim-held')])
    expect((await selectOrThrow(repo, { session: names[0] ?? '' })).resumed).toBe(true)
    const files = await readdir(join(repo.root, '.git/kotef/sessions'))
    expect(files).toEqual(['_002e_002e_002f_002e_002e_002f_002e_002e_002fx.json'])
  })
})

describe('a claim', () => {
  test('Edge 2: keeps others out, in this worktree and in another, and says who holds it since when', async () => {
    await using repo = await unselectedRepo()
    const at = await addWorktree(repo, 'other')
    await selectOrThrow(repo)
    for (const wish of [{ session: 't' }, { session: 't', at }, { session: 's', at }]) {
      const { refusal } = await trySelect(repo, wish)
      expect(refusal?.code).toBe('claim-held')
      expect(refusal?.message).toContain(`claude (session s) in ${repo.root} on rig since 00:00, just now.`)
    }
    expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
  })

  test('Edge 2: lets others in where the config says so, and stays with the first', async () => {
    await using repo = await unselectedRepo()
    await repo.write('.orchestration/config.yaml', 'claims: allow\n')
    await selectOrThrow(repo)
    expect((await selectOrThrow(repo, { session: 't' })).claim).toBe('shared')
    expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
  })

  test.each([
    ['block', 'INT-001'],
    ['abandon', 'INT-001'],
    ['complete', 'INT-001', '--attest'],
  ])('is given back by kotef intent %s', async (...words) => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo)
    expect((await runCli(repo, 'intent', ...words)).failure).toBeNull()
    expect(await claimHolders(repo)).toEqual({})
  })

  test('goes to the next one when its session was silent for too long, and not before', async () => {
    await using repo = await unselectedRepo()
    const clock = manualClock()
    await selectOrThrow(repo, { clock })
    clock.advance(4 * HOUR)
    expect((await trySelect(repo, { session: 't', clock })).refusal?.code).toBe('claim-held')
    clock.advance(1)
    const { stolen } = await selectOrThrow(repo, { session: 't', clock })
    expect(stolen).toEqual({ from: 's', why: 'silent' })
    expect((await trySelect(repo, { session: 's', clock })).refusal?.code).toBe('claim-held')
    expect(await ledgerEvents(repo)).toContainEqual(
      expect.objectContaining({ event: 'claim-stolen', session: 't', intent: 'INT-001', from: 's', why: 'silent' }),
    )
  })

  test('is kept for as long as the config says', async () => {
    await using repo = await unselectedRepo()
    await repo.write('.orchestration/config.yaml', 'claims_ttl_minutes: 1\n')
    const clock = manualClock()
    await selectOrThrow(repo, { clock })
    clock.advance(60_001)
    expect((await selectOrThrow(repo, { session: 't', clock })).stolen?.why).toBe('silent')
  })

  test('goes to the next one when its process is gone, and not while that lives', async () => {
    await using repo = await unselectedRepo()
    const holder = repo.start('sleep', ['600'])
    await selectOrThrow(repo, { pid: holder.pid })
    expect((await trySelect(repo, { session: 't' })).refusal?.code).toBe('claim-held')
    holder.signal('SIGKILL')
    await holder.ended
    expect(await selectOrThrow(repo, { session: 't' })).toMatchObject({ claim: 'held', resumed: false })
  })

  test('of a worktree that is gone goes to the next one', async () => {
    await using repo = await unselectedRepo()
    const at = await addWorktree(repo, 'other')
    const maker = repo.start('sleep', ['600'])
    await selectOrThrow(repo, { at, clock: { ...manualClock(), pid: maker.pid } })
    maker.signal('SIGKILL')
    await maker.ended
    expect((await trySelect(repo, { session: 't' })).refusal?.code).toBe('claim-held')
    await repo.git('worktree', 'remove', '--force', at)
    expect((await selectOrThrow(repo, { session: 't' })).stolen).toEqual({ from: 's', why: 'process-gone' })
  })

  test('survives the housekeeping of git', async () => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo)
    await runShell(repo, 'git pack-refs --all; git gc --quiet --prune=now; git fsck --strict')
    expect((await trySelect(repo, { session: 't' })).refusal?.code).toBe('claim-held')
    await runCli(repo, 'session', 'end', 's')
    expect((await selectOrThrow(repo, { session: 't' })).stolen).toBeNull()
  })
})

test('a session that is taken up again, also after its end, is told what was committed since', async () => {
  await using repo = await unselectedRepo()
  const { session } = await selectOrThrow(repo)
  await runShell(repo, 'echo 1 > src/new; echo 1 > lib/new; git add -A; git -c core.hooksPath=/dev/null commit -qm one')
  await runShell(repo, 'echo 2 > src/b.ts; git -c core.hooksPath=/dev/null commit -qam two')
  const drift = { base: session.baseCommit, commits: 2, files: ['src/b.ts', 'src/new'] }
  expect((await selectOrThrow(repo)).drift).toMatchObject(drift)
  await runCli(repo, 'session', 'end', 's')
  expect(await selectOrThrow(repo)).toMatchObject({ resumed: true, drift, session: { endedAt: null } })
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
  await runShell(repo, 'git checkout -q --orphan anew; git -c core.hooksPath=/dev/null commit -qm other')
  expect((await selectOrThrow(repo)).drift).toMatchObject({ commits: 1 })
})
