import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { ToolWindow } from '../../src/core/authorship/tool-window.ts'
import { schemaFaults } from '../../src/core/ledger/agent-trace.ts'
import { openWindow } from '../../src/world/recording/agent-activity/windows.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { claudeSession, writeCredits } from '../rig/agent-hooks.ts'
import { governedRepo, flushedWrites, startWatching } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

// The time of a call in which the files that change are the agent's: which calls have one, and what ends it.

const windows = (repo: Repo) => readdir(join(repo.root, '.git/kotef/windows')).catch(() => [] as string[])
const authorOf = async (repo: Repo, path: string) =>
  (await writeCredits(repo)).filter(it => it.startsWith(`${path} `)).map(it => it.split(' ')[1])

test.each(['ls -la', 'git log --oneline', 'cat src/old | head', 'git status && grep -rn old src'])(
  'a person writes while `%s` runs: it can only read, so the write is the person’s',
  async command => {
    await using repo = await governedRepo({ 'src/old': 'old\n' })
    await using _daemon = await startWatching(repo)
    const claude = claudeSession(repo, 's-1')
    await claude.willRun(command)
    expect(await windows(repo)).toEqual([])
    await repo.write('src/by-hand', 'by hand\n')
    await flushedWrites(repo)
    await claude.hasRun(command)
    expect(await authorOf(repo, 'src/by-hand')).toEqual(['person'])
  },
)

const ENDS: readonly [what: string, end: (claude: ReturnType<typeof claudeSession>) => Promise<unknown>][] = [
  ['the next command', claude => claude.willRun('make other').then(() => claude.hasRun('make other'))],
  ['the end of a command that only reads', claude => claude.willRun('ls').then(() => claude.hasRun('ls'))],
  ['the end of the turn', claude => claude.say('Stop')],
  ['a prompt', claude => claude.say('UserPromptSubmit', { prompt: 'go on' })],
  ['the end of the session', claude => claude.say('SessionEnd', { reason: 'exit' })],
]

test.each(ENDS)('a command whose end was never reported is over with %s', async (_, end) => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make lost')
  await repo.write('src/made', 'by make\n')
  await flushedWrites(repo)
  await end(claude)
  expect(await windows(repo)).toEqual([])
  await repo.write('src/by-hand', 'by hand\n')
  await flushedWrites(repo)
  expect([await authorOf(repo, 'src/made'), await authorOf(repo, 'src/by-hand')]).toEqual([['window'], ['person']])
})

test('a command of an agent that was killed is over by itself, and a person writes what comes next', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const agent = spawn('sleep', ['600'])
  const own = { session: 's-1', agent: 'claude', model: null, kind: 'exec', path: null, call: null } as const
  await openWindow(await openWorkspace(repo.root), { ...own, lane: 'main', pid: agent.pid ?? 0 })
  await repo.write('src/made', 'by the agent\n')
  await flushedWrites(repo)
  const closedAt = async () =>
    (JSON.parse(await repo.read(`.git/kotef/windows/${(await windows(repo))[0] ?? ''}`)) as ToolWindow).closedAt
  expect(await closedAt()).toBeNull()
  expect((await repo.kotef('status')).stdout).toContain('running  a command of claude, since')
  agent.kill('SIGKILL')
  await once(agent, 'exit')
  await vi.waitFor(async () => expect(await closedAt()).toBeGreaterThan(0), { timeout: 60_000, interval: 100 })
  expect((await repo.kotef('status')).stdout).not.toContain('running')
  await repo.write('src/by-hand', 'by hand\n')
  await flushedWrites(repo)
  expect([await authorOf(repo, 'src/made'), await authorOf(repo, 'src/by-hand')]).toEqual([['window'], ['person']])
})

test('while one agent writes a file, a command of another one does not claim it', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const [one, other] = [claudeSession(repo, 's-1'), claudeSession(repo, 's-2')]
  await one.willRun('make all')
  await other.willWrite('src/a')
  await repo.write('src/a', 'a\n')
  await other.hasWritten('src/a')
  await repo.write('src/b', 'b\n')
  await flushedWrites(repo)
  await one.hasRun('make all')
  const credits = (await writeCredits(repo)).map(it => it.split(' ').slice(0, 3).join(' '))
  expect(credits.sort()).toEqual(['src/a claimed s-2', 'src/b window s-1'])
})

test('while an agent writes one file, what a person writes to another one is the person’s', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willWrite('src/a')
  await repo.write('src/a', 'a\n')
  await repo.write('src/by-hand', 'by hand\n')
  await flushedWrites(repo)
  await claude.hasWritten('src/a')
  expect([await authorOf(repo, 'src/a'), await authorOf(repo, 'src/by-hand')]).toEqual([['claimed'], ['person']])
})

test('while an agent runs a command, what another one reports as its own edit afterwards is that one’s', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const [one, other] = [claudeSession(repo, 's-1'), claudeSession(repo, 's-2')]
  await one.willRun('make all')
  await repo.write('src/a', 'a\n')
  await repo.write('src/b', 'b\n')
  await flushedWrites(repo)
  await other.hasWritten('src/a')
  await one.hasRun('make all')
  const credits = (await writeCredits(repo)).map(it => it.split(' ').slice(0, 3).join(' '))
  expect(credits.sort()).toEqual(['src/a late s-2', 'src/b window s-1'])
})

test('a write during a command is in doubt in every answer, before it is committed and after', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make all')
  await repo.write('src/a', 'a line that only this test has\n')
  const [record] = await flushedWrites(repo)
  await claude.hasRun('make all')
  expect(record?.metadata['dev.kotef']).toMatchObject({ attribution: 'window', doubt: 'person' })
  expect(schemaFaults(record)).toEqual([])
  const answers = async () => {
    const [blame, why] = [await repo.kotef('blame', 'src/a'), await repo.kotef('why', 'src/a:1')]
    const { stdout } = await repo.kotef('blame', '--json', 'src/a')
    const { lines } = JSON.parse(stdout) as { lines: Record<string, unknown>[] }
    return [/ ai\? /.exec(blame.stdout)?.[0], /^author .*$/m.exec(why.stdout)?.[0], ...lines.map(it => it['doubt'])]
  }
  const why = '(window; a command ran, and a person may have written it meanwhile)'
  const doubtful = [' ai? ', `author   ai ${why}`, 'person']
  expect(await answers()).toEqual(doubtful)
  expect((await repo.kotef('trace', '--file', 'src/a')).stdout).toMatch(/ src\/a {2}\+1 -0 {2}INT-001, ai\?$/m)
  await repo.git('add', 'src/a')
  await repo.git('commit', '--quiet', '-m', 'by make')
  expect(await answers()).toEqual(doubtful)
  expect((await repo.kotef('trace', '--commit', 'HEAD')).stdout).toContain(`ai ${why}`)
})
