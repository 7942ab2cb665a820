import { access, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { filesInPlace } from '../../../src/world/io/files/files-in-place.ts'
import { guardWorktree } from '../../../src/world/io/worktree/worktree-guard.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo, writesAfterCommands, flushedWrites } from '../../rig/governed-repo.ts'
import type { RunningProgram } from '../../rig/running-program.ts'
import { type Repo, temporaryRepo } from '../../rig/repo.ts'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The same repository, seen from another worktree of it, or from where it was moved. */
function seenFrom(repo: Repo, root: string): Repo {
  return { ...repo, root, read: path => readFile(join(root, path), 'utf8') }
}

async function started(repo: Repo, cwd = repo.root): Promise<RunningProgram> {
  const daemon = repo.start('kotef-watch', [], { cwd })
  await daemon.line(/kotef is watching/)
  return daemon
}

/** Path and operation of each write, and who noticed it. */
async function writtenIn(repo: Repo): Promise<unknown[]> {
  return (await flushedWrites(repo)).map(it => [it.files[0]?.path, it.files[0]?.kotef.op])
}

test('a daemon whose repository is moved away ends, and makes nothing where it was', async () => {
  await using repo = await governedRepo()
  await using daemon = await started(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  const moved = seenFrom(repo, join(repo.base, 'moved'))
  await rename(repo.root, moved.root)
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  expect(daemon.lines).toContainEqual(expect.stringContaining('is no longer a repository'))
  expect(await exists(repo.root)).toBe(false)
  await using _next = await started(repo, moved.root)
  expect(await writtenIn(moved)).toEqual([['src/a.ts', 'create']])
  expect((await runCli(moved, 'trace', 'verify')).exit).toBe(0)
})

test('where .git is replaced, the daemon begins anew, and records nothing twice', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using daemon = await started(repo)
  await repo.write('src/b.ts', 'b\n')
  await flushedWrites(repo)
  await repo.run('sh', ['-c', 'rm -rf .git; git init -q'])
  await daemon.line(/was replaced by another repository/)
  await daemon.line(/kotef is watching/)
  await repo.write('src/c.ts', 'c\n')
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'all')
  expect(await writtenIn(repo)).toEqual([
    ['src/b.ts', 'create'],
    ['src/c.ts', 'create'],
  ])
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
})

test('where another repository takes its place that nobody governs, the daemon ends and makes nothing', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using daemon = await started(repo)
  // Both folders are moved, so that there is no moment without a repository.
  await repo.run('sh', ['-c', 'git init -q new; echo b >new/b; mv repo old; mv new repo'], { cwd: repo.base })
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  expect(daemon.lines).toContainEqual(expect.stringContaining('by a repository that kotef does not govern'))
  expect((await repo.run('git', ['status', '--porcelain', '-uall'])).stdout).toBe('?? b\n')
})

test('what was under way when another repository took its place writes nothing there', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const opened = await openWorkspace(repo.root)
  using guard = await guardWorktree(opened, null, () => {})
  const workspace = { ...opened, files: filesInPlace(opened.files, guard.isInPlace) }
  const event = { event: 'daemon-stopped', pid: 1 } as const
  expect(await appendRecords(workspace, [{ event }])).toHaveLength(1)
  await repo.run('sh', ['-c', 'git init -q new; mv repo old; mv new repo'], { cwd: repo.base })
  await expect(appendRecords(workspace, [{ event }])).rejects.toThrow('is not in its place any more')
  for (const it of ['.orchestration', '.git/kotef']) expect(await exists(join(repo.root, it))).toBe(false)
  const writes: readonly Promise<unknown>[] = [
    ...['replace' as const, 'put' as const].map(it => workspace.files[it](join(repo.root, 'b'), 'b\n')),
    ...['link' as const, 'move' as const].map(it =>
      workspace.files[it](join(repo.base, 'old/src/a.ts'), join(repo.root, 'b')),
    ),
    workspace.files.privateFolder(join(repo.root, 'b')),
  ]
  expect((await Promise.allSettled(writes)).map(it => it.status)).toEqual(writes.map(() => 'rejected'))
  expect((await repo.run('git', ['status', '--porcelain', '-uall'])).stdout).toBe('')
})

test('a checkpoint that outlived its repository is not one of the next', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using daemon = await started(repo)
  await repo.write('src/b.ts', 'b\n')
  await flushedWrites(repo)
  daemon.signal('SIGTERM')
  await daemon.ended
  // As where the daemon saves it while .git is removed.
  const commands = [
    'mv .git/kotef/cursor.json ..',
    'rm -rf .git',
    'git init -q',
    'mkdir .git/kotef',
    'mv ../cursor.json .git/kotef',
  ]
  await repo.run('sh', ['-c', commands.join('; ')])
  await using _next = await started(repo)
  await repo.write('src/c.ts', 'c\n')
  expect(await writtenIn(repo)).toEqual([
    ['src/b.ts', 'create'],
    ['src/c.ts', 'create'],
  ])
})

test('where .git is another clone’s, what stands there is looked at anew', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await repo.run('git', ['clone', '--quiet', '--no-checkout', repo.root, join(repo.base, 'clone')])
  await using daemon = await started(repo)
  await rename(join(repo.root, '.git'), join(repo.base, 'old'))
  await rename(join(repo.base, 'clone/.git'), join(repo.root, '.git'))
  await daemon.line(/was replaced by another repository/)
  await daemon.line(/kotef is watching/)
  await repo.git('reset', '--quiet')
  await repo.write('src/a.ts', 'a\nb\n')
  expect(await writtenIn(repo)).toEqual([['src/a.ts', 'modify']])
  expect(await exists(join(repo.base, 'old/kotef/daemon.lock'))).toBe(true)
})

test('without its git directory a daemon ends, also within another repository', async () => {
  await using repo = await governedRepo()
  await repo.run('git', ['init', '--quiet', repo.base])
  await using daemon = await started(repo)
  // The daemon may be writing a file there at this moment.
  await rm(join(repo.root, '.git'), { recursive: true, maxRetries: 5 })
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  expect(await exists(join(repo.root, '.git'))).toBe(false)
  expect(await exists(join(repo.base, '.git/kotef'))).toBe(false)
})

test('a repository with thousands of files that is watched is removed at once, and the daemon ends', async () => {
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`src/d${n % 40}/f${n}`, `${n}\n`]))
  await using repo = await governedRepo(many)
  await using daemon = await started(repo)
  await repo.write('src/a.ts', 'x\n')
  await flushedWrites(repo)
  expect(await repo.run('rm', ['-rf', repo.root], { cwd: repo.base })).toMatchObject({ code: 0, stderr: '' })
  expect(await daemon.ended).toEqual({ code: 0, signal: null })
  expect(await exists(repo.root)).toBe(false)
})

test('a daemon whose own folder is deleted takes its post anew, and records nothing twice', async () => {
  await using repo = await governedRepo()
  await using daemon = await started(repo)
  await repo.write('src/a.ts', 'a\n')
  await flushedWrites(repo)
  await rm(join(repo.root, '.git/kotef'), { recursive: true })
  await daemon.line(/was replaced by another repository/)
  await daemon.line(/kotef is watching/)
  await repo.write('src/a.ts', 'a\nb\n')
  expect((await flushedWrites(repo)).map(it => it.files[0]?.kotef.op)).toEqual(['create', 'modify'])
  expect((await repo.kotef('watch')).stderr).toContain(`pid ${daemon.pid}`)
})

test('before the first commit writes are recorded, and the commit is none', async () => {
  await using repo = await temporaryRepo()
  const written = await writesAfterCommands(repo, 'a.ts', [
    'git add --all; git commit --quiet -m first',
    'echo b >>a.ts',
  ])
  expect(written.map(it => [it.files[0]?.path, it.files[0]?.kotef.op])).toEqual([
    ['a.ts', 'create'],
    ['a.ts', 'modify'],
  ])
  expect(written.map(it => it.vcs?.revision?.length)).toEqual([undefined, 40])
})

test('in a worktree of a bare repository only what is written there is recorded', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const [bare, tree] = [join(repo.base, 'bare.git'), join(repo.base, 'tree')]
  await repo.run('sh', ['-c', `git clone -q --bare . ${bare}; git -C ${bare} worktree add -q ${tree}`])
  const linked = seenFrom(repo, tree)
  await using _daemon = await started(repo, tree)
  await repo.run('sh', ['-c', 'echo b >src/b.ts; git add -A; git commit -qm b --no-verify'], { cwd: tree })
  await flushedWrites(linked)
  await repo.run('sh', ['-c', 'git switch -q --detach HEAD~1; git switch -q -'], { cwd: tree })
  expect(await writtenIn(linked)).toEqual([['src/b.ts', 'create']])
})

test('two linked worktrees have a daemon and a ledger each', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const linked = seenFrom(repo, join(repo.base, 'linked'))
  await repo.git('worktree', 'add', '--quiet', linked.root)
  await using _first = await started(repo)
  await using _second = await started(repo, linked.root)
  await repo.run('sh', ['-c', 'echo b >>src/a.ts'], { cwd: linked.root })
  await repo.write('src/c.ts', 'c\n')
  expect([await writtenIn(repo), await writtenIn(linked)]).toEqual([[['src/c.ts', 'create']], [['src/a.ts', 'modify']]])
})

test('a shallow clone is like any other', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const shallow = seenFrom(repo, join(repo.base, 'shallow'))
  await repo.run('git', ['clone', '--quiet', '--depth=1', `file://${repo.root}`, shallow.root])
  await using _daemon = await started(repo, shallow.root)
  await repo.run('sh', ['-c', 'echo b >>src/a.ts'], { cwd: shallow.root })
  await flushedWrites(shallow)
  await repo.run(
    'sh',
    ['-c', 'git stash -q; git fetch -q --unshallow; git switch -q --detach HEAD~1; git switch -q -'],
    {
      cwd: shallow.root,
    },
  )
  expect(await writtenIn(shallow)).toEqual([['src/a.ts', 'modify']])
})

test.each([
  ['that can be reached', ''],
  ['that can not be reached', 'mv ../repo ../gone'],
])('a blob that a partial clone left behind, at a remote %s, is not fetched', async (_, before) => {
  await using repo = await governedRepo({ 'src/a.ts': 'old\n' })
  await repo.run('sh', [
    '-c',
    'echo new >src/a.ts; git commit -qam new --no-verify; git config uploadpack.allowFilter true',
  ])
  const partial = seenFrom(repo, join(repo.base, 'partial'))
  await repo.run('git', ['clone', '--quiet', '--filter=blob:none', `file://${repo.root}`, partial.root])
  const inside = { cwd: partial.root }
  const [old] = (await repo.run('git', ['rev-parse', 'HEAD~1:src/a.ts'], inside)).stdout.split('\n')
  // The index has the blob that is missing, as after a reset; what a file held that went is asked of it.
  const commands = [before, `git update-index --cacheinfo 100644,${old},src/a.ts`, 'rm src/a.ts']
  await repo.run('sh', ['-c', commands.join('\n')], inside)
  await using daemon = await started(repo, partial.root)
  await repo.run('sh', ['-c', 'echo newer >src/a.ts'], inside)
  const reported = (await flushedWrites(partial)).map(it => it.files[0]?.kotef)
  expect(reported.map(it => [it?.op, it?.opaque])).toEqual([
    ['delete', 'unknown-before'],
    ['create', undefined],
  ])
  const present = await repo.run('sh', ['-c', 'git cat-file --batch-all-objects --batch-check'], inside)
  expect(present.stdout).not.toContain(old)
  expect(daemon.lines.filter(it => it.startsWith('problem'))).toEqual([])
})
