import { expect, test } from 'vitest'
import { openWindow } from '../../src/world/recording/agent-activity/windows.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { startAtTerminal } from '../rig/terminal.ts'

const REGISTRY = '.orchestration/active_intents.yaml'

// An idle agent: it has a session, and runs no tool.
const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await runCli(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')
  return repo
})

async function atTerminal(repo: Repo, words: readonly string[], env: Record<string, string> = {}): Promise<void> {
  await using terminal = startAtTerminal(repo, words, env)
  expect(await terminal.ended, terminal.lines.join('\n')).toMatchObject({ code: 0 })
}

const ADD = ['intent', 'add', '--name', 'x', '--scope', 'lib/**']

const commit = (repo: Repo) => repo.run('git', ['commit', '-qm', 'add', '-m', 'Governance: add', '--', REGISTRY])

test('what a person edits at a terminal beside an idle agent is committed without approval (solo A10)', async () => {
  await using repo = await copyGoverned(template())
  await atTerminal(repo, ADD)
  await atTerminal(repo, ['intent', 'edit', 'INT-006', '--add-scope', 'doc/**'])
  await atTerminal(repo, ['intent', 'abandon', 'INT-002', '--reason', 'later'])
  expect(await commit(repo)).toEqual({ code: 0, stdout: '', stderr: '' })
  await atTerminal(repo, ['intent', 'edit', 'INT-006', '--add-scope', 'bin/**', '--commit'])
  expect(await repo.git('log', '-1', '--format=%s')).toBe('edit INT-006\n')
})

test('so is the file of an intent, where each has its own', async () => {
  await using repo = await copyGoverned(template())
  await atTerminal(repo, ['intent', 'split', '--commit'])
  await atTerminal(repo, ADD)
  const folder = '.orchestration/intents'
  await repo.git('add', folder)
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'add', '-m', 'Governance: add', '--', folder])
  expect([code, stderr]).toEqual([0, ''])
})

test('beside the README.md that kotef init --team writes, too (team T5)', async () => {
  await using repo = await copyGoverned(template())
  await runCli(repo, 'init', '--yes', '--team')
  await repo.git('add', '-A')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'team')
  await atTerminal(repo, [...ADD, '--commit'])
  expect(await repo.git('log', '-1', '--format=%s')).toMatch(/^add INT-/)
})

type Around = { readonly env?: Record<string, string>; readonly before?: (repo: Repo) => Promise<unknown> }

const editByHand = async (repo: Repo) => repo.write(REGISTRY, `${await repo.read(REGISTRY)}# more\n`)

async function runTool(repo: Repo): Promise<void> {
  const tool = { session: 's', agent: 'aider', model: null, kind: 'exec', path: null, call: 'c' } as const
  await openWindow(await openWorkspace(repo.root), { ...tool, lane: 'l' })
}

test.each<[string, Around]>([
  ['an agent makes by a verb', { env: { CLAUDECODE: '1' } }],
  ['was changed by anybody before the verb', { before: editByHand }],
  ['a verb edits while a tool of an agent runs', { before: runTool }],
])('what %s still needs an approval', async (_, { env = {}, before = () => Promise.resolve() }) => {
  await using repo = await copyGoverned(template())
  const text = await repo.read(REGISTRY)
  await before(repo)
  await atTerminal(repo, ADD, env)
  expect(await repo.read(REGISTRY)).not.toBe(text)
  const { code, stderr } = await commit(repo)
  expect([code, stderr]).toEqual([1, expect.stringContaining('an agent works here: aider')])
  expect(stderr).toContain(`\`git add ${REGISTRY} && kotef approve && git commit -m 'subject' -m 'Governance: why' -- `)
})
