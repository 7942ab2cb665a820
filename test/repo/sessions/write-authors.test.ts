import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/world/io/process/clock.ts'
import { selectIntent } from '../../../src/world/lifecycle/select-intent.ts'
import { findSession, recordHeartbeat } from '../../../src/world/intents/sessions/session-store.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession, writeCredits, CLAUDE_MODEL, sendHook } from '../../rig/agent-hooks.ts'
import { manualClock } from '../../rig/manual-clock.ts'
import { runCli } from '../../rig/command-line.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import type { Repo } from '../../rig/repo.ts'
import { claimHolders, unselectedRepo } from '../../rig/selection.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'

const NOBODY: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} }

test.each<[string, (repo: Repo) => Promise<AsyncDisposable>]>([
  ['under a daemon', startWatching],
  ['where nobody watches', async () => NOBODY],
])('%s, of two sessions with an intent each in one worktree every write lands on the right one', async (_, watch) => {
  await using repo = await unselectedRepo()
  await select(repo, 's-1', 'INT-001')
  await select(repo, 's-2', 'INT-002')
  await using _daemon = await watch(repo)
  const [one, two] = [
    claudeSession(repo, 's-1', { model: 'claude-x' }),
    claudeSession(repo, 's-2', { model: 'claude-x' }),
  ]
  await Promise.all([one.willWrite('src/new'), two.willWrite('lib/new')])
  await Promise.all([repo.write('src/new', 'one\n'), repo.write('lib/new', 'two\n')])
  await Promise.all([one.hasWritten('src/new'), two.hasWritten('lib/new')])
  // Both run a command at once: what a path is owned by says whose it is.
  await Promise.all([one.willRun('make'), two.willRun('make')])
  await Promise.all([repo.write('src/made', 'one\n'), repo.write('lib/made', 'two\n')])
  await one.hasRun('make')
  await two.hasRun('make')
  // What is written out of scope all the same is its session's.
  await writeUnasked(repo, 's-2', 'src/b.ts')
  expect((await writeCredits(repo)).sort()).toEqual([
    `lib/made window s-2 ${CLAUDE_MODEL} INT-002`,
    `lib/new claimed s-2 ${CLAUDE_MODEL} INT-002`,
    `src/b.ts claimed s-2 ${CLAUDE_MODEL} INT-002`,
    `src/made window s-1 ${CLAUDE_MODEL} INT-001`,
    `src/new claimed s-1 ${CLAUDE_MODEL} INT-001`,
  ])
})

test('what a session writes after its intent is another’s is recorded for the one it has selected', async () => {
  await using repo = await unselectedRepo()
  await select(repo, 's-1', 'INT-001')
  await select(repo, 's-2', 'INT-002')
  await runCli(repo, 'session', 'end', 's-1')
  await writeUnasked(repo, 's-2', 'src/b.ts')
  expect(await writeCredits(repo)).toEqual([`src/b.ts claimed s-2 ${CLAUDE_MODEL} INT-002`])
})

test('an agent that says that its run is over ends its session, and gives its claim back', async () => {
  await using repo = await unselectedRepo()
  await select(repo, 's-1', 'INT-001')
  await claudeSession(repo, 's-2').say('SessionEnd')
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 's-1' })
  await claudeSession(repo, 's-1').say('SessionEnd')
  expect(await claimHolders(repo)).toEqual({})
  expect((await ledgerEvents(repo)).at(-1)).toMatchObject({ event: 'session-ended', session: 's-1', intent: 'INT-001' })
})

test('every event of an agent’s hooks is a sign of life, at most one a minute', async () => {
  await using repo = await unselectedRepo()
  const clock = manualClock(Date.now() - 3_600_000)
  await selectIntent(await openWorkspace(repo.root, { clock }), selectionOf('s-1', 'INT-001'))
  const before = systemClock.now()
  await claudeSession(repo, 's-1').say('UserPromptSubmit')
  const first = await receivedAt(repo, 's-1')
  expect(Date.parse(first)).toBeGreaterThanOrEqual(before)
  const workspace = await openWorkspace(repo.root)
  const later = (ms: number) => ({ ...workspace, clock: { ...systemClock, now: () => Date.parse(first) + ms } })
  await recordHeartbeat(later(59_999), 's-1')
  expect(await receivedAt(repo, 's-1')).toBe(first)
  await recordHeartbeat(later(60_000), 's-1')
  expect(Date.parse(await receivedAt(repo, 's-1'))).toBe(Date.parse(first) + 60_000)
})

test('a session without hooks gives a sign of life when a daemon sees it write', async () => {
  await using repo = await unselectedRepo()
  await runCli(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')
  const [session] = (
    (await runCli(repo, 'session', 'list')).json as { sessions: { id: string; heartbeatAt: string }[] }
  ).sessions
  await using _daemon = await startWatching(repo)
  await repo.write('src/new', 'one\n')
  await runCliOrThrow(repo, 'flush')
  await repo.kotef('watch', '--stop')
  expect(Date.parse(await receivedAt(repo, session?.id ?? ''))).toBeGreaterThan(Date.parse(session?.heartbeatAt ?? ''))
})

test('a heart that beats while its session ends does not bring it back to life', async () => {
  await using repo = await unselectedRepo()
  await select(repo, 's-1', 'INT-001')
  const workspace = await openWorkspace(repo.root)
  await runCli(repo, 'session', 'end', 's-1')
  await recordHeartbeat(workspace, 's-1')
  expect(await findSession(workspace, 's-1')).toBeNull()
  expect(await readdir(join(repo.root, '.git/kotef/sessions'))).toEqual(['ended'])
  expect((await runCli(repo, 'session', 'list')).json).toEqual({ sessions: [], claims: [], problems: [] })
})

/** An agent that only tells what it does, and does not ask for leave. */
async function writeUnasked(repo: Repo, session: string, path: string): Promise<void> {
  const said = { session, agent: 'claude', model: CLAUDE_MODEL, path }
  await sendHook(repo, 'generic', { event: 'write-start', ...said })
  await repo.write(path, 'by an agent\n')
  await sendHook(repo, 'generic', { event: 'write', ...said })
}

async function select(repo: Repo, session: string, intent: string): Promise<void> {
  await selectIntent(await openWorkspace(repo.root), selectionOf(session, intent))
}

function selectionOf(session: string, intent: string) {
  return { session, agent: 'claude', model: null, intent }
}

async function receivedAt(repo: Repo, session: string): Promise<string> {
  return (await findSession(await openWorkspace(repo.root), session))?.heartbeatAt ?? ''
}
