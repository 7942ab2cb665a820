import { expect, test } from 'vitest'
import { askGate, bashTool } from '../../rig/agent-gate.ts'
import { repoWithHistory, runInCall, runInShell } from '../../rig/agent-calls.ts'
import { fixture } from '../../rig/fixture.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { claudeSession, ledgerRecords } from '../../rig/agent-hooks.ts'
import type { Repo } from '../../rig/repo.ts'
import { copyRepo } from '../../rig/repo.ts'

const template = fixture(repoWithHistory)

/** The answer to a command of the session that made the files. */
const ask = (repo: Repo, command: string, more: { before?: string } = {}) =>
  askGate(repo, 'claude', { ...bashTool(command), session: 's-1', ...more })

type Removal = readonly [command: string, made: string]

// `made` is what a call of the session did before; each row has files of its own.
const allowed: readonly Removal[] = [
  ['rm lib/n1', 'echo x >lib/n1'],
  ['rm -rf lib/n1', ':'],
  ['unlink lib/n1', ':'],
  ['cd lib && rm n1', ':'],
  ['rm lib/n1 src/a', ':'],
  ['mv lib/n1 src/new', ':'],
  ['git rm -qf lib/n2', 'echo x >lib/n2; git add lib/n2'],
  ['git mv lib/n2 src/new', ':'],
  ['rm lib/n3', 'echo x >lib/n3; echo y >>lib/n3'],
]

type Held = readonly [why: string, command: string, made: string, then?: string]

// `then` is what a person did after the call.
const held: readonly Held[] = [
  ['is in HEAD', 'rm lib/tax', 'echo more >>lib/tax'],
  ['is written', 'echo y >lib/a', 'echo x >lib/a'],
  ['is overwritten by a move', 'mv src/a lib/b', 'echo x >lib/b'],
  ['was written by a person as well', 'rm lib/c', 'echo x >lib/c', 'echo mine >>lib/c'],
  ['was replaced by a person', 'rm lib/d', 'echo x >lib/d', 'echo mine >lib/mine; mv lib/mine lib/d'],
  ['was moved there from a file of a person', 'rm lib/e', 'mv notes lib/e'],
  ['is a link', 'rm lib/f', 'ln -s ../README lib/f'],
  ['became a link', 'rm lib/g', 'echo x >lib/g', 'rm lib/g; ln -s ../README lib/g'],
  ['has another name', 'rm lib/h', 'echo x >lib/h', 'ln lib/h other'],
  ['is a folder', 'rm -rf lib/deep', 'mkdir lib/deep; echo x >lib/deep/new'],
  ['is an empty folder', 'rm -rf lib/empty', 'mkdir lib/empty'],
  ['is not there', 'rm lib/gone', ':'],
  [
    'has content of a person in the index',
    'git rm -qf lib/i',
    'echo x >lib/i',
    'echo mine >lib/i; git add lib/i; echo x >lib/i',
  ],
  ['is a governance file', 'rm .claude/new', 'mkdir .claude; echo x >.claude/new'],
]

// One call of the session makes the files of all rows, under one daemon; a question changes nothing.
const worked = fixture(async () => {
  const repo = copyRepo(template())
  await repo.write('notes', 'of a person\n')
  const daemon = await startWatching(repo)
  await runInCall(repo, [...allowed, ...held.map(([, ...it]) => it)].map(([, made]) => made).join('; '))
  await runInShell(repo, held.map(it => it[3] ?? ':').join('; '))
  return {
    repo,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
})

test.for(allowed)('%s: a session may remove the file that it made outside of its scope', async ([command]) => {
  expect(await ask(worked().repo, command)).toMatchObject({ kind: 'allowed', text: '' })
})

test.for(held)('refused as before when it %s: %s', async ([, command]) => {
  expect((await ask(worked().repo, command)).kind).toBe('denied')
})

test('also by the program of the agent, and where no daemon runs; what stays refused is named alone', async () => {
  await using repo = copyRepo(template())
  await runInCall(repo, 'echo x >lib/new')
  expect(await ask(repo, 'rm lib/new', { before: '' })).toMatchObject({ kind: 'allowed', text: '' })
  const { kind, refusal } = await ask(repo, 'rm lib/new lib/tax')
  expect([kind, refusal]).toMatchObject([
    'denied',
    { path: 'lib/tax', message: expect.not.stringContaining('lib/new') },
  ])
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
