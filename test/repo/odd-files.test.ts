import { describe, expect, test } from 'vitest'
import { callHook, writeTool } from '../rig/agent-gate.ts'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned } from '../rig/hooked-repo.ts'
import { claudeSession } from '../rig/agent-hooks.ts'
import { governedRepo } from '../rig/governed-repo.ts'
import type { Repo } from '../rig/repo.ts'

/** What may stand in the place of a file, as a shell makes it. */
const KINDS = {
  'a pipe': 'mkfifo "$path"',
  'an endless device': 'ln -s /dev/zero "$path"',
  'a link to nothing': 'ln -s nowhere/x "$path"',
  '300 MiB without content': 'truncate -s 300M "$path"; chmod 600 "$path"',
}

type Kind = keyof typeof KINDS

/** Files whose damage is told: judging without them would be guessing. */
const GOVERNING = [
  '.orchestration/active_intents.yaml',
  '.orchestration/intents/INT-002.yaml',
  '.orchestration/config.yaml',
  '.intentignore',
  '.sdd/KOTEF.md',
]

const OWN = [
  ...['sessions/*.json', 'sessions/x.beat', 'sessions/zz.json', 'cursor.json', 'head.json', 'daemon.json', 'queue'],
  ...['judged', 'windows', 'seen', 'approved.json', 'requests', 'knocks', 'compiled/state.json', 'compiled/active'],
]
  .map(it => `.git/kotef/${it}`)
  .concat('.git/refs/kotef/claims/INT-001', '.orchestration/agent_trace.jsonl', '.git/SQUASH_MSG', '.git/MERGE_MSG')

/** Those that are read to more than 1 MiB, or by another way. */
const GROWING = ['sessions/*.json', 'cursor.json', 'queue', 'seen/x', 'approved.json', 'compiled/state.json']
  .map(it => `.git/kotef/${it}`)
  .concat('.git/SQUASH_MSG', '.git/MERGE_MSG')

/** Those that a hook lists, or writes itself. */
const FOLLOWED = ['sessions', 'windows', 'sessions/*.json', 'compiled/last', 'head.json'].map(it => `.git/kotef/${it}`)

const template = fixture(async () => {
  const repo = await governedRepo({ 'src/a.ts': 'a\n', 'lib/b.ts': 'b\n' })
  await repo.kotef('intent', 'show', 'INT-001')
  return repo
})

const reported = (kind: Kind) => (kind === '300 MiB without content' ? /larger than/ : /not a regular file/)

describe.each([
  ['a pipe', GOVERNING[0]],
  ['an endless device', GOVERNING[0]],
  ['300 MiB without content', GOVERNING[2]],
] as const)('%s', (kind, path = '') => {
  test(`in the place of ${path} is told at once by every program`, async () => {
    await using repo = await withIn(path, kind)
    const hook = await callHook(repo, 'claude', { at: 'before-tool', ...writeTool('src/a.ts'), before: 'timeout 10 ' })
    expect(hook).toMatchObject({ kind: 'denied', text: expect.stringMatching(reported(kind)) })
    const wanted = { code: 3, stderr: expect.stringMatching(reported(kind)) }
    expect(await kotefInTime(repo, 'scope src/a.ts')).toMatchObject(wanted)
    expect([124, 70]).not.toContain((await kotefInTime(repo, 'doctor')).code)
    expect(await commitInTime(repo)).toMatchObject({ code: 1, stderr: expect.stringMatching(reported(kind)) })
  })
})

// One that waited would stop this process, and the test with it.
describe.each([
  ['a pipe', GOVERNING.slice(1)],
  ['300 MiB without content', GOVERNING.slice(3, 4)],
] as const)('%s', (kind, places) => {
  test.each(places)('in the place of %s is told as well', async path => {
    await using repo = await withIn(path, kind)
    const hook = await callHook(repo, 'claude', { at: 'before-tool', ...writeTool('src/a.ts') })
    expect(hook).toMatchObject({ kind: 'denied', text: expect.stringMatching(reported(kind)) })
    const { failure, text } = await runCli(repo, 'scope', 'src/a.ts')
    expect({ exit: failure?.exit, text }).toEqual({ exit: 3, text: expect.stringMatching(reported(kind)) })
    expect((await runCli(repo, 'doctor')).exit).not.toBe(70)
    expect(await commitInTime(repo)).toMatchObject({ code: 1, stderr: expect.stringMatching(reported(kind)) })
  })
})

describe.each([
  ['a pipe', [...OWN, '.git/kotef/compiled/last']],
  ['a link to nothing', FOLLOWED],
  ['300 MiB without content', GROWING],
] as const)('%s', (kind, places) => {
  test.each(places)('in the place of %s lets nothing wait, and nothing pass', async path => {
    await using repo = await withIn(path, kind)
    expect((await callHook(repo, 'claude', { at: 'before-tool', ...writeTool('lib/b.ts') })).kind).toBe('denied')
    expect((await runCli(repo, 'status')).exit).not.toBe(70)
    // Only a commit that is out of scope is judged in full.
    const inTime = ['src/a.ts', 'lib/b.ts'].map(
      it => `echo x >>${it}; git add ${it}; timeout 10 git commit -qm x; echo $?`,
    )
    const { stdout, stderr } = await repo.play(inTime.join('\n'))
    expect(stdout.match(/^\d+$/gm)).toHaveLength(2)
    expect(stdout).not.toMatch(/^(124|70)$/m)
    expect(stderr).not.toContain('bug in kotef')
  })
})

test.each([
  ['queue', 'git commit -qm x'],
  ['daemon.json', 'git commit -qm x'],
  ['autostart', 'git commit -qm x'],
  ['compiled/passed', 'git commit -qm x'],
  ['compiled/last', 'git commit -qm x'],
  ['compiled/template', "echo t >../t; GIT_EDITOR='echo x >>' git commit -qt ../t"],
  ['compiled/active', 'git commit -qm x'],
])('a pipe in the place of %s stops no commit', async (name, command) => {
  await using repo = await withIn(`.git/kotef/${name}`, 'a pipe')
  // The hook after a commit looks whether a watcher runs; a try to start one has just been, or can't be noted.
  const watched = { 'daemon.json': 'touch .git/kotef/autostart', autostart: 'touch -d 2001-01-01 .git/kotef/autostart' }
  const before = name in watched ? `KOTEF_AUTOSTART= CI=; ${watched[name as 'autostart']}` : ':'
  const inTime = `timeout 10 sh -c ${JSON.stringify(command)}`
  const twice = [1, 2].map(n => `echo ${n} >>src/a.ts; git add src; ${inTime}`).join('; ')
  const { code, stderr } = await repo.run('sh', ['-ec', `${before}; ${twice}`])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(await repo.git('rev-list', '--count', 'HEAD~2..HEAD')).toBe('2\n')
})

test('a pipe in the place of the claim of a selected session is told at once, with its path', async () => {
  await using repo = await withIn('.git/refs/kotef/claims/INT-001', 'a pipe', { selected: true })
  await repo.git('config', 'remote.origin.url', 'nowhere')
  await repo.git('worktree', 'add', '-q', '--detach', '../other')
  const hook = await callHook(repo, 'claude', { at: 'before-tool', ...writeTool('src/a.ts'), before: 'timeout 10 ' })
  expect(hook).toMatchObject({
    kind: 'denied',
    text: expect.stringMatching(/INT-001 is not a regular file: remove it/),
  })
  const named = expect.stringMatching(/INT-001 is not a regular file: remove it/)
  expect(await runCli(repo, 'status')).toMatchObject({ exit: 0, text: named })
  for (const verb of ['doctor', 'select INT-001', 'session list'])
    expect((await runCli(repo, ...verb.split(' '))).exit).not.toBe(70)
})

test.for(['refs/heads/w', 'refs/notes/kotef'])('the way out that is told for a pipe at %s is enough', async path => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await repo.play('git switch -q -c w')
  await repo.play(`rm -f .git/${path}; mkdir -p .git/refs/notes; mkfifo .git/${path}`)
  const { failure } = await runCli(repo, 'status')
  expect(failure?.message).toContain(`${path} is not a regular file: remove it`)
  const [, command = ''] = /`(.*)`/.exec(failure?.hint ?? '') ?? []
  await repo.play(command)
  expect(await repo.run('sh', ['-c', 'ls -R .git/refs | grep odd'])).toMatchObject({ stdout: '' })
  expect((await runCli(repo, 'status')).failure).toBeNull()
})

test('a pipe in the place of the log is told, and no program waits for its reader', async () => {
  await using repo = await withIn('.git/kotef/daemon.log', 'a pipe')
  const { code, stderr } = await kotefInTime(repo, 'watch --detach')
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('daemon.log') })
})

async function withIn(place: string, kind: Kind, { selected = false } = {}): Promise<Repo> {
  const repo = await copyGoverned(template())
  if (selected) await claudeSession(repo, 's').willWrite('src/a.ts')
  const find = `for path in ${place}; do break; done`
  const { code, stderr } = await repo.run('sh', [
    '-ec',
    `${find}; rm -rf "$path"; mkdir -p "$(dirname "$path")"; ${KINDS[kind]}`,
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return repo
}

function kotefInTime(repo: Repo, verb: string) {
  return repo.run('sh', ['-c', `timeout 10 kotef ${verb}`])
}

function commitInTime(repo: Repo) {
  return repo.run('sh', ['-c', 'echo x >>src/a.ts; git add src/a.ts; timeout 10 git commit -qm x'])
}
