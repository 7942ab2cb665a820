import { expect, test } from 'vitest'
import { claudeSession } from '../rig/agent-hooks.ts'
import { governedRepo, flushedWrites, startWatching } from '../rig/governed-repo.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { ledgerEvents } from '../rig/ledger-events.ts'
import type { Repo } from '../rig/repo.ts'
import { startAtTerminal, startCommandAtTerminal } from '../rig/terminal.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: work, status: IN_PROGRESS, owned_scope: ["src/**"] }
  - { id: CHORE-001, name: chores, owned_scope: ["README.md"], standing: true }
`

/** What a person types at a terminal that was open before any agent; the output is in one text. */
async function typed(repo: Repo, ...words: string[]) {
  await using terminal = startAtTerminal(repo, words)
  const { code } = await terminal.ended
  return { code, text: terminal.lines.join('\n') }
}

/** A line that a person saves in README.md while a command of an agent runs, and one of the agent's edit tool. */
async function writtenBeside(repo: Repo) {
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make all')
  await repo.write('README.md', 'by hand\n')
  await flushedWrites(repo)
  // Its hook says that README.md is outside of the scope.
  await expect(claude.hasRun('make all')).rejects.toThrow('Scope Violation')
  await claude.willWrite('src/a.ts')
  await repo.write('src/a.ts', 'by the agent\n')
  await claude.hasWritten('src/a.ts')
  await flushedWrites(repo)
}

const blamed = async (repo: Repo, path: string) =>
  (JSON.parse((await repo.kotef('blame', path, '--json')).stdout) as { lines: Record<string, unknown>[] }).lines[0]

test('a person says at a terminal what an agent did not write: the line stays, and each answer changes', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n', 'README.md': 'read\n' })
  await using _daemon = await startWatching(repo)
  await writtenBeside(repo)
  expect(await blamed(repo, 'README.md')).toMatchObject({ contributor: { type: 'ai' }, doubt: 'person' })
  const said = await typed(repo, 'mine', 'README.md', 'src')
  expect(said).toMatchObject({ code: 0, text: expect.stringContaining('README.md: yours (1 write)') })
  expect(said.text).toContain('src/a.ts: nothing to take over; 1 write by the edit tool of an agent stays its own')
  const line = (await blamed(repo, 'README.md')) ?? {}
  expect(line).toMatchObject({ contributor: { type: 'human' }, session: null })
  expect(line).not.toHaveProperty('doubt')
  expect(await blamed(repo, 'src/a.ts')).toMatchObject({ contributor: { type: 'ai' } })
  expect((await repo.kotef('trace', '--file', 'README.md')).stdout).toMatch(
    /modify +README\.md.*human\n[^]*taken-over +README\.md/,
  )
  expect((await repo.kotef('trace', 'verify')).code).toBe(0)
  expect((await typed(repo, 'mine', 'README.md')).text).toContain('README.md: no agent is recorded as its author')
})

test('nothing but an uncommitted write is taken over, by nobody but a person, and no governance file', async () => {
  await using repo = await governedRepo({ 'src/old': 'old\n' })
  expect(await typed(repo, 'mine', 'src/old')).toMatchObject({ code: 2, text: expect.stringContaining('uncommitted') })
  expect(await typed(repo, 'mine', '../x')).toMatchObject({ code: 2, text: expect.stringContaining('../x is outside') })
  await repo.write('.orchestration/config.yaml', 'enforce: observe\n')
  expect((await typed(repo, 'mine', '.')).text).toContain('.orchestration/config.yaml: a governance file')
  expect(await repo.kotef('mine', 'src')).toMatchObject({ code: 3, stderr: expect.stringContaining('terminal') })
  const byAgent = await repo.run('kotef', ['mine', 'src'], { env: { CLAUDECODE: '1' } })
  expect(byAgent).toMatchObject({ code: 3, stderr: expect.stringContaining('a person must') })
  expect((await ledgerEvents(repo)).filter(it => it['event'] === 'taken-over')).toEqual([])
})

test('in doubt a person at a terminal is believed, and elsewhere asked for a word (solo N7)', async () => {
  await using repo = await hookedRepo({ registry: REGISTRY, start: null })
  await using _daemon = await startWatching(repo)
  await writtenBeside(repo)
  await repo.git('add', 'README.md')
  const commit = ['commit', '-qm', 'readme', '-m', 'Intent-ID: CHORE-001']
  const refused = await repo.run('setsid', ['--wait', 'git', ...commit])
  expect(refused.stderr).toContain('an agent may have written README.md')
  expect(refused.stderr).toContain('If you wrote it, say so at a terminal, and commit again: `kotef mine README.md`')
  await using terminal = startCommandAtTerminal(repo, `git ${commit.map(it => `'${it}'`).join(' ')}`)
  expect(await terminal.ended, terminal.lines.join('\n')).toMatchObject({ code: 0 })
  expect((await repo.kotef('verify', 'HEAD^..HEAD')).stdout).toContain('0 problems')
})

test('after that word the commit passes anywhere', async () => {
  await using repo = await hookedRepo({ registry: REGISTRY, start: null })
  await using _daemon = await startWatching(repo)
  await writtenBeside(repo)
  await repo.git('add', 'README.md')
  expect((await typed(repo, 'mine', 'README.md')).code).toBe(0)
  const commit = await repo.run('setsid', ['--wait', 'git', 'commit', '-qm', 'readme', '-m', 'Intent-ID: CHORE-001'])
  expect(commit, commit.stderr).toMatchObject({ code: 0 })
  expect(await blamed(repo, 'README.md')).toMatchObject({ contributor: { type: 'human' }, session: null })
  await repo.kotef('finalise')
  const note = JSON.stringify(await repo.git('notes', '--ref=kotef', 'show', 'HEAD'))
  expect(note).not.toContain('window')
  expect(note).toContain('human')
})
