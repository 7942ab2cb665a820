import { describe, expect, test } from 'vitest'
import { manualClock } from '../../rig/manual-clock.ts'
import { runCli } from '../../rig/command-line.ts'
import { runShell } from '../../rig/doctor-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import type { Repo } from '../../rig/repo.ts'
import { claimHolders, unselectedRepo, selectOrThrow, trySelect, addWorktree } from '../../rig/selection.ts'

describe('session list', () => {
  test('shows the sessions of this worktree and the claims of all', async () => {
    await using repo = await unselectedRepo()
    const at = await addWorktree(repo, 'other')
    await selectOrThrow(repo)
    await selectOrThrow(repo, { at, session: 't', intent: 'INT-002', agent: 'codex' })
    const { json, text } = await runCli(repo, 'session', 'list')
    expect(json).toMatchObject({
      sessions: [{ id: 's', intent: 'INT-001' }],
      claims: [
        { intent: 'INT-001', here: true, claim: { session: 's', worktree: repo.root } },
        { intent: 'INT-002', here: false, claim: { session: 't', agent: 'codex', worktree: at } },
      ],
      problems: [],
    })
    expect(text).toContain('s  INT-001  claude, since 2026-01-01 00:00')
    expect(text).toMatch(/ {2}INT-002 {2}codex, session t, since 2026-01-01 00:00, \d+ days ago, in /)
    expect(text).toContain(`in ${at}; stale: it sent no heartbeat`)
  })

  test('quotes what an agent calls itself and its session, and tells of a damaged file and claim', async () => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo, { session: 'a\nb', agent: '\u001b[31mred' })
    await repo.write('.git/kotef/sessions/broken.json', '{')
    await runShell(repo, 'git update-ref refs/kotef/claims/INT-002 HEAD')
    const { text } = await runCli(repo, 'session', 'list')
    expect(text).toContain(String.raw`"a\nb"  INT-001  "\u001b[31mred"`)
    expect(text).toContain("INT-002  can't be read")
    expect(text).toMatch(/problem {2}.*broken\.json: expected a session as JSON, found \{/)
  })
})

describe('session show and end', () => {
  test('show tells who, for what, since when, whether it is claimed, and what was committed since', async () => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo, { model: 'vendor/m' })
    await runShell(repo, 'echo 2 > src/b.ts; git -c core.hooksPath=/dev/null commit -qam two')
    const { text, json } = await runCli(repo, 'session', 'show')
    expect(text).toContain('session  s of claude, vendor/m\nintent   INT-001 work\nsince    2026-01-01')
    expect(text).toMatch(/claim {4}INT-001 {2}claude, session s, .*\ndrift {4}1 commit since .*\n {2}src\/b\.ts$/)
    expect(json).toMatchObject({ session: { id: 's' }, claim: { intent: 'INT-001' }, drift: { commits: 1 } })
  })

  test('end ends the one that is meant, gives its claim back, and leaves the intent as it is', async () => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo)
    await selectOrThrow(repo, { session: 't', intent: 'INT-002' })
    expect((await runCli(repo, 'session', 'end', 't')).text).toBe(
      'Ended session t; the status of INT-002 did not change.',
    )
    expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
    expect((await runCli(repo, 'session', 'end')).text).toBe('Ended session s; the status of INT-001 did not change.')
    expect(await claimHolders(repo)).toEqual({})
    expect((await runCli(repo, 'intent', 'show', 'INT-001')).json).toMatchObject({ intent: { status: 'PENDING' } })
  })

  test('a session that is not here is refused with those that are, and so is none of several', async () => {
    await using repo = await unselectedRepo()
    await selectOrThrow(repo)
    await selectOrThrow(repo, { session: 't', intent: 'INT-002' })
    for (const words of [['end', 'u'], ['end'], ['show']]) {
      const { failure } = await runCli(repo, 'session', ...words)
      expect(failure).toMatchObject({ code: 'unknown-session', exit: 2 })
      expect(failure?.message).toMatch(/ {2}s {2}INT-001 {2}claude\n {2}t {2}INT-002 {2}claude/)
    }
  })
})

describe('intent start', () => {
  test('claims as well: what an agent holds elsewhere is refused, and nothing is changed', async () => {
    await using repo = await unselectedRepo()
    await claimed(repo, await addWorktree(repo, 'other'))
    await runCli(repo, 'intent', 'start', 'INT-002')
    const before = await ledgerEvents(repo)
    const { failure } = await runCli(repo, 'intent', 'start', 'INT-001')
    expect(failure).toMatchObject({ code: 'claim-held', exit: 3 })
    expect(failure?.hint).toContain('kotef intent start INT-001 --steal')
    expect(await ledgerEvents(repo)).toEqual(before)
    expect((await runCli(repo, 'session', 'list')).json).toMatchObject({ sessions: [{ intent: 'INT-002' }] })
  })

  test('a person and an agent in one worktree work together; another agent is kept out', async () => {
    await using repo = await unselectedRepo()
    await runCli(repo, 'intent', 'start', 'INT-001')
    const clock = manualClock(Date.now())
    expect(await selectOrThrow(repo, { clock })).toMatchObject({ claim: 'held', stolen: null })
    expect(await claimHolders(repo)).toEqual({ 'INT-001': 's' })
    expect((await trySelect(repo, { session: 't', clock })).refusal?.code).toBe('claim-held')
    expect((await runCli(repo, 'intent', 'start', 'INT-001')).json).toMatchObject({ claim: 'shared' })
    expect((await runCli(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')).failure?.code).toBe('claim-held')
    await runCli(repo, 'session', 'end', 's')
    expect(await claimHolders(repo)).toEqual({})
  })

  test('takes the claim when it is told to, says so, and so does the ledger', async () => {
    await using repo = await unselectedRepo()
    await claimed(repo)
    const { text, json } = await runCli(repo, 'intent', 'start', 'INT-001', '--steal')
    const { session } = json as { session: { id: string } }
    expect(text).toContain('Took the claim from session s: --steal was used.')
    expect(await claimHolders(repo)).toEqual({ 'INT-001': session.id })
    expect((await ledgerEvents(repo)).slice(-2)).toMatchObject([
      { event: 'claim-stolen', session: session.id, intent: 'INT-001', from: 's', why: 'by-force' },
      { event: 'session-started' },
    ])
    expect((await runCli(repo, 'trace')).text).toContain('INT-001 from s: --steal was used')
  })

  test('the next session of a person has the claim of the one that it ends', async () => {
    await using repo = await unselectedRepo()
    await runCli(repo, 'intent', 'start', 'INT-001')
    const { json } = await runCli(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')
    expect(await claimHolders(repo)).toEqual({ 'INT-001': (json as { session: { id: string } }).session.id })
    await runCli(repo, 'intent', 'start', 'INT-002')
    expect(Object.keys(await claimHolders(repo))).toEqual(['INT-002'])
  })

  test('when the ledger can’t tell of it, neither the claim nor the session is new', async () => {
    await using repo = await unselectedRepo()
    await repo.git('rm', '-q', '--cached', '--ignore-unmatch', '.orchestration/agent_trace.jsonl')
    await runShell(repo, 'rm -f .orchestration/agent_trace.jsonl; mkdir .orchestration/agent_trace.jsonl')
    expect((await runCli(repo, 'intent', 'start', 'INT-002')).failure?.code).toBe('ledger-unwritable')
    expect(await claimHolders(repo)).toEqual({})
  })
})

test('the doctor names a claim that can’t be read, and uninit --purge leaves none', async () => {
  await using repo = await unselectedRepo()
  await selectOrThrow(repo)
  await runShell(repo, 'git update-ref refs/kotef/claims/INT-002 HEAD; echo x > .git/refs/kotef/claims/INT-003')
  const { text } = await runCli(repo, 'doctor')
  expect(text).toMatch(
    /claim on INT-002 can't be read: .*\n.*git update-ref --no-deref -d refs\/kotef\/claims\/INT-002/,
  )
  expect(text).toMatch(/claim on INT-003 can't be read/)
  expect(text).not.toContain('INT-001')
  await runShell(repo, 'kotef uninit --purge')
  expect(await repo.git('for-each-ref', 'refs/kotef')).toBe('')
})

test('status shows whose the claim is', async () => {
  await using repo = await unselectedRepo()
  await runCli(repo, 'intent', 'start', 'INT-001')
  expect((await runCli(repo, 'status')).text).toContain('claim    held by this session')
  await runShell(repo, 'git update-ref refs/kotef/claims/INT-001 HEAD')
  expect((await runCli(repo, 'status')).text).toContain("claim    INT-001  can't be read")
})

/** The session `s` holds INT-001, by the clock of this machine. */
async function claimed(repo: Repo, at = repo.root): Promise<void> {
  await selectOrThrow(repo, { at, clock: manualClock(Date.now()) })
}
