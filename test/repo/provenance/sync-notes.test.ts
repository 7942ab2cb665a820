import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { fetchFirstNotes } from '../../../src/world/provenance/first-notes.ts'
import { syncNotes } from '../../../src/world/provenance/sync-notes.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Repo } from '../../rig/repo.ts'

test('a fresh clone knows every author after one sync', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  expect(await syncNotes(await openWorkspace(repo.root), 'origin')).toMatchObject({ fetched: false, pushed: true })
  await repo.git('push', '-q', '--no-verify', 'origin', 'main')
  const clone = await cloned(repo, 'fresh')
  expect(await typesIn(clone, 'src/a')).toEqual(['unknown'])
  expect(await syncNotes(await openWorkspace(clone), 'origin')).toMatchObject({ fetched: true })
  expect(await typesIn(clone, 'src/a')).toEqual(['ai'])
})

test('a clone that knows no author shares nothing, and gets the notes of one that does (team S2)', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  await repo.git('push', '-q', '--no-verify', 'origin', 'main')
  const clone = await cloned(repo, 'ignorant')
  await repo.run('kotef', ['init', '--yes', '--hooks', 'git'], { cwd: clone })
  expect(await annotateCommits(await openWorkspace(clone), { isWatched: false })).toBe(false)
  expect(await syncNotes(await openWorkspace(clone), 'origin')).toMatchObject({ fetched: false, pushed: false })
  expect(await syncNotes(await openWorkspace(repo.root), 'origin')).toMatchObject({ fetched: false, pushed: true })
  expect(await typesIn(repo.root, 'src/a')).toEqual(['ai'])
  await syncNotes(await openWorkspace(clone), 'origin')
  expect(await typesIn(clone, 'src/a')).toEqual(['ai'])
})

test('of four clones that push at once, no note is lost', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  await repo.git('push', '-q', '--no-verify', 'origin', 'main')
  const clones = await Promise.all(['one', 'two', 'three', 'four'].map(it => cloned(repo, it)))
  const heads: string[] = []
  for (const [n, clone] of clones.entries()) {
    const commit = `git commit -q --allow-empty -m 'commit of clone ${n}'
      git notes --ref=kotef add -m '{"of":${n}}' HEAD; git rev-parse HEAD`
    heads.push((await repo.run('sh', ['-ec', commit], { cwd: clone })).stdout.trim())
  }
  expect(new Set(heads).size).toBe(4)
  const outcomes = await Promise.all(clones.map(root => runCli({ ...repo, root }, 'sync')))
  expect(outcomes.map(it => it.failure ?? 'synced')).toEqual(clones.map(() => 'synced'))
  const listed = await repo.run('git', ['notes', '--ref=kotef', 'list'], { cwd: join(repo.base, 'origin.git') })
  for (const head of heads) expect(listed.stdout).toContain(head)
})

test('a push takes the notes along, and unites them with those that are there', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  await repo.git('push', '-q', 'origin', 'main')
  await hasNotes(repo, 1)
  const clone = await cloned(repo, 'other')
  const commands = `git commit -q --allow-empty -m theirs; git notes --ref=kotef add -m '{"by":"them"}'
    git push -q --no-verify origin HEAD:theirs; git fetch -q origin +refs/notes/kotef:refs/kotef/x
    git notes --ref=kotef merge -q refs/kotef/x; git push -q --no-verify origin refs/notes/kotef`
  expect(await repo.run('sh', ['-ec', commands], { cwd: clone })).toMatchObject({ code: 0 })
  await agentsCommit(repo, 'src/b', 'second')
  await repo.git('push', '-q', 'origin', 'main')
  await hasNotes(repo, 3)
})

test('a push right after the commit takes the note of that commit along (team S3)', async () => {
  await using repo = await withOrigin()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a', 'first\n')
  await flushedWrites(repo)
  await repo.run('sh', ['-ec', 'git add src/a; git commit -qm first; git push -q origin main'])
  const head = (await repo.git('rev-parse', 'HEAD')).trim()
  const noted = () => repo.run('git', ['-C', '../origin.git', 'notes', '--ref=kotef', 'list', head])
  await expect.poll(async () => (await noted()).code, { interval: 100 }).toBe(0)
})

test('a push without a daemon writes the note of the commit, and takes it along (team S3)', async () => {
  await using repo = await withOrigin()
  await repo.write('src/a', 'first\n')
  await repo.git('add', 'src/a')
  await repo.git('commit', '-qm', 'first')
  await repo.write('src/a', 'first\nan agent has written this line\n')
  await recordAgentWrite(repo, 'src/a', { before: 'first\n', added: 'an agent has written this line\n' })
  await repo.git('commit', '-qam', 'second')
  expect((await repo.git('for-each-ref', 'refs/notes')).trim()).toBe('')
  await repo.git('push', '-q', 'origin', 'main')
  await hasNotes(repo, 1)
})

test('status says how many notes no remote has got (team S3)', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  expect((await runCli(repo, 'status')).json).toMatchObject({ unsharedNotes: 0 })
  await runCli(repo, 'sync')
  await agentsCommit(repo, 'src/b', 'second')
  expect((await runCli(repo, 'status')).text).toContain('notes    of 1 commit not shared yet: `kotef sync`')
  await runCli(repo, 'sync')
  expect((await runCli(repo, 'status')).json).toMatchObject({ unsharedNotes: 0 })
})

test('the notes of a fork are fetched by its address (team A13)', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  await repo.git('push', '-q', '--no-verify', 'origin', 'main')
  const fork = await cloned(repo, 'fork')
  await runCli(repo, 'sync')
  await repo.run('git', ['remote', 'remove', 'origin'], { cwd: fork })
  const { json } = await runCli({ ...repo, root: fork }, 'sync', `file://${repo.base}/origin.git`)
  expect(json).toMatchObject({ fetched: true })
  expect(await typesIn(fork, 'src/a')).toEqual(['ai'])
  expect((await runCli(repo, 'sync', '--', '--upload-pack=x')).failure?.code).toBe('usage')
})

const EMPTIED = `git update-ref refs/notes/kotef $(git commit-tree -m n -p refs/notes/kotef $(git mktree </dev/null))`
describe('notes in the remote come back whole from a clone that has them (team S4)', () => {
  const shared = fixture(async () => {
    const repo = await withOrigin()
    await agentsCommit(repo, 'src/a', 'first')
    await agentsCommit(repo, 'src/b', 'second')
    await repo.git('push', '-q', '--no-verify', 'origin', 'main')
    await syncNotes(await openWorkspace(repo.root), 'origin')
    return repo
  })

  test.each([
    ['emptied', EMPTIED],
    ['pruned', 'git notes --ref=kotef remove :/second'],
    [
      'edited',
      `git notes --ref=kotef show :/second | sed 's/"ai"/"human"/g' >../n
        git notes --ref=kotef add -f -F ../n :/second`,
    ],
    ['rewound', `git update-ref refs/notes/kotef $(git rev-list --max-parents=0 refs/notes/kotef)`],
    ['deleted', 'git update-ref -d refs/notes/kotef'],
  ])('when they were %s', async (_, damage) => {
    const repo = shared()
    const notes = async (cwd: string) => {
      const show =
        'for c in $(git rev-list --grep first --grep second main); do git notes --ref=kotef show $c || :; done'
      return (await repo.run('sh', ['-c', show], { cwd })).stdout
    }
    const [origin, before] = [join(repo.base, 'origin.git'), await notes(repo.root)]
    const done = await repo.run('sh', ['-ec', damage], { cwd: origin })
    expect(done).toMatchObject({ code: 0, stderr: expect.not.stringContaining('fatal') })
    expect(await notes(origin)).not.toBe(before)
    await repo.play('git commit -q --no-verify --allow-empty -m pushes && git push -q origin main')
    await syncNotes(await openWorkspace(repo.root), 'origin')
    expect([await notes(repo.root), await notes(origin)]).toEqual([before, before])
  })
})

test('whoever noted a squash without the notes of its commits, a sync finds their authors (team S2)', async () => {
  await using repo = await withOrigin()
  await repo.git('push', '-q', '--no-verify', 'origin', 'main')
  const bob = await cloned(repo, 'bob')
  await repo.git('switch', '-qc', 'work')
  await agentsCommit(repo, 'src/a', 'written by an agent, one long line')
  await repo.git('push', '-q', '--no-verify', 'origin', 'work')
  await syncNotes(await openWorkspace(repo.root), 'origin')
  const squash = `git update-ref refs/heads/main $(git commit-tree -p main -m squash 'work^{tree}')`
  expect(await repo.run('sh', ['-ec', squash], { cwd: join(repo.base, 'origin.git') })).toMatchObject({ code: 0 })
  await repo.run('git', ['pull', '-q'], { cwd: bob })
  await repo.write('../bob/.orchestration/config.yaml', 'version: 1\nnotes: { fetch: asked }\n')
  await repo.run('kotef', ['init', '--yes', '--hooks', 'git'], { cwd: bob })
  expect((await runCli({ ...repo, root: bob }, 'blame', 'src/a')).failure).toBeNull()
  expect(await typesIn(bob, 'src/a')).toEqual(['unknown'])
  expect((await runCli({ ...repo, root: bob }, 'sync')).failure).toBeNull()
  expect(await typesIn(bob, 'src/a')).toEqual(['ai'])
  const cleo = await cloned(repo, 'cleo')
  expect((await runCli({ ...repo, root: cleo }, 'sync')).failure).toBeNull()
  expect(await typesIn(cleo, 'src/a')).toEqual(['ai'])
})

describe('a clone without notes, of a remote that has some,', () => {
  const shared = fixture(async () => {
    const repo = await withOrigin()
    await agentsCommit(repo, 'src/a', 'first')
    await repo.git('push', '-q', '--no-verify', 'origin', 'main')
    await syncNotes(await openWorkspace(repo.root), 'origin')
    return repo
  })
  const init = (cwd: string, env: Readonly<Record<string, string>> = {}) =>
    shared().run('kotef', ['init', '--yes', '--hooks', 'git'], { cwd, env })
  const CAME = 'This clone had no notes yet: fetched those of origin, which name the authors.'

  test('gets them with `kotef init`, once (solo N20)', async () => {
    const clone = await cloned(shared(), 'by-init')
    expect((await init(clone)).stderr).toContain(CAME)
    expect(await typesIn(clone, 'src/a')).toEqual(['ai'])
    expect((await init(clone)).stderr).not.toContain(CAME)
  })

  test('gets them with the first blame where a pipeline has set it up', async () => {
    const clone = await cloned(shared(), 'by-blame')
    expect((await init(clone, { CI: 'true' })).stderr).toBe('')
    const blamed = await shared().run('kotef', ['blame', 'src/a'], { cwd: clone })
    expect([blamed.stderr.trim(), blamed.stdout]).toEqual([CAME, expect.stringMatching(/ ai robot /)])
  })

  test('gets none unasked where the config says so', async () => {
    const clone = await cloned(shared(), 'asked')
    await shared().write('../asked/.orchestration/config.yaml', 'version: 1\nnotes: { fetch: asked }\n')
    expect((await init(clone)).stderr).toBe('')
    expect(await typesIn(clone, 'src/a')).toEqual(['unknown'])
  })

  test('says what came instead of an answer, and does not ask again', async () => {
    const clone = await cloned(shared(), 'mute')
    await init(clone, { CI: 'true' })
    await shared().run('git', ['config', 'core.sshCommand', 'cat >&2 #'], { cwd: clone })
    await shared().run('git', ['remote', 'set-url', 'origin', 'ssh://nowhere/repo'], { cwd: clone })
    const said: string[] = []
    const ask = async () => fetchFirstNotes(await openWorkspace(clone), { notify: it => said.push(it), msMax: 200 })
    expect([await ask(), await ask()]).toEqual([false, false])
    expect(said).toEqual([
      'This clone has no notes, which name the authors. origin: no answer within 0.2 s. Fetch them: `kotef sync`',
    ])
  })
})

test('a remote that takes no notes is named, with what it said', async () => {
  await using repo = await withOrigin()
  await agentsCommit(repo, 'src/a', 'first')
  await repo.write('../origin.git/hooks/pre-receive', '#!/bin/sh\necho no notes here >&2\nexit 1\n', 0o755)
  const { exit, text } = await runCli(repo, 'sync')
  expect([exit, text]).toEqual([3, expect.stringContaining('no notes here')])
})

async function withOrigin(): Promise<Repo> {
  const repo = await governedRepo({}, { agent: 'aider' })
  await repo.play(
    'git init -q --bare --initial-branch=main ../origin.git && git remote add origin "$PWD/../origin.git"',
  )
  return repo
}

/** An agent's new file in a commit with its note, as a daemon that saw the write makes them. */
async function agentsCommit(repo: Repo, path: string, text: string): Promise<void> {
  const added = `an agent has written this, the ${text} of its files\n`
  await repo.write(path, added)
  await recordAgentWrite(repo, path, { before: '', added })
  expect(await repo.play(`git add ${path} && git commit -qm '${text}'`)).toMatchObject({ code: 0 })
  await annotateCommits(await openWorkspace(repo.root), { isWatched: true })
}

/** Resolves when the origin has notes on so many commits. */
async function hasNotes(repo: Repo, count: number): Promise<void> {
  const origin = join(repo.base, 'origin.git')
  const noted = async () => (await repo.run('git', ['-C', origin, 'notes', '--ref=kotef', 'list'])).stdout
  await expect.poll(async () => (await noted()).split('\n').length - 1, { interval: 100 }).toBe(count)
}

async function cloned(repo: Repo, name: string): Promise<string> {
  const { code, stderr } = await repo.run('git', ['clone', '-q', join(repo.base, 'origin.git'), join(repo.base, name)])
  expect([code, stderr]).toEqual([0, ''])
  return join(repo.base, name)
}

async function typesIn(root: string, path: string): Promise<string[]> {
  const lines = await blamePath(await openWorkspace(root), { path, revision: null })
  return lines.map(it => it.author.contributor.type)
}
