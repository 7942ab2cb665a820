import { expect, test } from 'vitest'
import { askGate, bashTool } from '../../rig/agent-gate.ts'
import { repoWithHistory, runInCall } from '../../rig/agent-calls.ts'
import { fixture } from '../../rig/fixture.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { claudeSession, ledgerRecords } from '../../rig/agent-hooks.ts'
import type { Repo } from '../../rig/repo.ts'
import { copyRepo } from '../../rig/repo.ts'

const template = fixture(repoWithHistory)

/** The answer to a command of the session that made the files. */
const ask = (repo: Repo, command: string, more: { before?: string } = {}) =>
  askGate(repo, 'claude', { ...bashTool(command), session: 's-1', ...more })

type Removal = readonly [command: string, made?: string]

// `made` is what a call of the session did before.
const allowed: readonly Removal[] = [
  ['rm lib/new'],
  ['rm -rf lib/new'],
  ['unlink lib/new'],
  ['cd lib && rm new'],
  ['rm lib/new src/a'],
  ['mv lib/new src/new'],
  ['git rm -qf lib/new', 'echo x >lib/new; git add lib/new'],
  ['git mv lib/new src/new', 'echo x >lib/new; git add lib/new'],
  ['rm lib/new', 'echo x >lib/new; echo y >>lib/new'],
]

test.for(allowed)('%s: a session may remove the file that it made outside of its scope', async ([command, made]) => {
  await using repo = copyRepo(template())
  await using _daemon = await startWatching(repo)
  await runInCall(repo, made ?? 'echo x >lib/new')
  expect(await ask(repo, command)).toMatchObject({ kind: 'allowed', text: '' })
})

test('also by the program of the agent, and where no daemon runs; what stays refused is named alone', async () => {
  await using repo = copyRepo(template())
  await runInCall(repo, 'echo x >lib/new')
  expect(await ask(repo, 'rm lib/new', { before: '' })).toMatchObject({ kind: 'allowed', text: '' })
  const { kind, refusal } = await ask(repo, 'rm lib/new lib/tax', { before: '' })
  expect([kind, refusal]).toMatchObject([
    'denied',
    { path: 'lib/tax', message: expect.not.stringContaining('lib/new') },
  ])
})

type Held = readonly [why: string, command: string, made: string, then?: string]

// `then` is what a person did after the call.
const held: readonly Held[] = [
  ['is in HEAD', 'rm lib/tax', 'echo more >>lib/tax'],
  ['is written', 'echo y >lib/new', 'echo x >lib/new'],
  ['is overwritten by a move', 'mv src/a lib/new', 'echo x >lib/new'],
  ['was written by a person as well', 'rm lib/new', 'echo x >lib/new', 'echo mine >>lib/new'],
  ['was replaced by a person', 'rm lib/new', 'echo x >lib/new', 'echo mine >lib/mine; mv lib/mine lib/new'],
  ['was moved there from a file of a person', 'rm lib/new', 'mv notes lib/new'],
  ['is a link', 'rm lib/new', 'ln -s ../README lib/new'],
  ['became a link', 'rm lib/new', 'echo x >lib/new', 'rm lib/new; ln -s ../README lib/new'],
  ['has another name', 'rm lib/new', 'echo x >lib/new', 'ln lib/new other'],
  ['is a folder', 'rm -rf lib/deep', 'mkdir lib/deep; echo x >lib/deep/new'],
  ['is an empty folder', 'rm -rf lib/deep', 'mkdir lib/deep'],
  ['is not there', 'rm lib/gone', 'echo x >lib/new'],
  [
    'has content of a person in the index',
    'git rm -qf lib/new',
    'echo x >lib/new',
    'echo mine >lib/new; git add lib/new; echo x >lib/new',
  ],
  ['is a governance file', 'rm .claude/new', 'mkdir .claude; echo x >.claude/new'],
]

test.for(held)('refused as before when it %s: %s', async ([, command, made, then = ':']) => {
  await using repo = copyRepo(template())
  await repo.write('notes', 'of a person\n')
  await using _daemon = await startWatching(repo)
  await runInCall(repo, made)
  await repo.play(then)
  expect((await ask(repo, command)).kind).toBe('denied')
})

test('refused while a person has a session there, who may have saved the file as the command ran', async () => {
  await using repo = copyRepo(template())
  await using _daemon = await startWatching(repo)
  await runInCall(repo, 'echo x >lib/new')
  expect(await repo.kotef('intent', 'start', 'INT-001')).toMatchObject({ code: 0 })
  expect((await ask(repo, 'rm lib/new')).refusal).toMatchObject({ error_type: 'scope-violation' })
})

test('refused for the file of another session, and of a session that wrote at the same time', async () => {
  await using repo = copyRepo(template())
  await using _daemon = await startWatching(repo)
  await runInCall(repo, 'echo x >lib/new')
  const [one, other] = [claudeSession(repo, 's-1'), claudeSession(repo, 's-2')]
  await other.willRun('gen')
  await one.willRun('make')
  await repo.play('echo both >lib/both')
  await one.hasRun('make').catch(() => {})
  await other.hasRun('gen').catch(() => {})
  expect(await ledgerRecords(repo)).not.toEqual([])
  const use = { ...bashTool('rm lib/new'), session: 's-2' }
  expect((await askGate(repo, 'claude', use)).kind).toBe('denied')
  expect((await ask(repo, 'rm lib/both')).kind).toBe('denied')
})
