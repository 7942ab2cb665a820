import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TraceRecord } from '../../../src/core/ledger/record.ts'
import { governedRepo, flushedWrites } from '../../rig/governed-repo.ts'
import type { RunningProgram } from '../../rig/running-program.ts'
import type { Repo } from '../../rig/repo.ts'

// What a daemon tells by itself: nobody flushes, since a flush compares with git whatever the watcher saw.

async function daemonOf(repo: Repo, env: Readonly<Record<string, string>> = {}): Promise<RunningProgram> {
  const daemon = repo.start('kotef-watch', ['--json'], { env })
  await daemon.line(/"event":"ready"/)
  return daemon
}

/** The record of a path that comes next. */
async function recordOf(
  daemon: RunningProgram,
  path: string,
): Promise<{ op: string | undefined; source: string | undefined }> {
  const line = await daemon.line(new RegExp(`"path":"${path}"`))
  const { files, metadata } = JSON.parse(line) as TraceRecord
  const own = metadata['dev.kotef']
  return { op: files[0]?.kotef.op, source: own.event === 'write' ? own.source : undefined }
}

describe.each(['chokidar', 'directories', 'polling'] as const)('with %s', backend => {
  test('a daemon records as they come: a write, a new tree, a renamed and a deleted directory', async () => {
    await using repo = await governedRepo({
      'src/a.ts': 'a\n',
      'src/old/b.ts': 'b\n',
      'src/gone/c/d.ts': 'd\n',
      '.orchestration/config.yaml': `version: 1\nwatch: { backend: ${backend} }\n`,
    })
    await using daemon = await daemonOf(repo)
    await repo.write('src/a.ts', 'a\nb\n')
    expect(await recordOf(daemon, 'src/a.ts')).toEqual({ op: 'modify', source: 'daemon' })
    await repo.write('src/new/deep/er/e.ts', 'e\n')
    expect(await recordOf(daemon, 'src/new/deep/er/e.ts')).toEqual({ op: 'create', source: 'daemon' })
    await repo.run('mv', ['src/old', 'src/renamed'])
    expect(await recordOf(daemon, 'src/renamed/b.ts')).toEqual({ op: 'rename', source: 'daemon' })
    await repo.run('rm', ['-r', 'src/gone'])
    expect(await recordOf(daemon, 'src/gone/c/d.ts')).toEqual({ op: 'delete', source: 'daemon' })
    expect(daemon.lines.filter(it => it.includes('"problem"'))).toEqual([])
  })
})

test('a directory that is moved out of the tree is deleted, file by file', async () => {
  await using repo = await governedRepo({ 'src/going/a.ts': 'a\n', 'src/going/b/c.ts': 'c\n' })
  await using daemon = await daemonOf(repo)
  await repo.run('mv', ['src/going', join(repo.base, 'elsewhere')])
  expect(await recordOf(daemon, 'src/going/a.ts')).toEqual({ op: 'delete', source: 'daemon' })
  expect(await recordOf(daemon, 'src/going/b/c.ts')).toEqual({ op: 'delete', source: 'daemon' })
})

test('what the system’s queue of events had no room for is found at once, and said to be found so', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'src/lost.ts': 'l\n' })
  await using daemon = await daemonOf(repo)
  stop(daemon)
  fillQueue([join(repo.root, 'src/a.ts'), join(repo.root, 'src/b.ts')])
  await repo.write('src/lost.ts', 'written\n')
  await repo.write('src/new/lost.ts', 'written\n')
  daemon.signal('SIGCONT')
  const found = [await daemon.line(/lost\.ts"/), await daemon.line(/lost\.ts"/)].map(
    it => JSON.parse(it) as TraceRecord,
  )
  const changed = found.find(it => it.files[0]?.path === 'src/lost.ts')
  expect([found.length, changed?.metadata['dev.kotef']]).toMatchObject([2, { event: 'write', source: 'reconcile' }])
  await repo.write('src/new/lost.ts', 'written\nagain\n')
  expect(await recordOf(daemon, 'src/new/lost.ts')).toEqual({ op: 'modify', source: 'daemon' })
})

/** Stops a process, and returns when none of its threads runs any more. */
function stop(daemon: RunningProgram): void {
  const tasks = `/proc/${daemon.pid}/task`
  const isStopped = (task: string) => /^State:\tT/m.test(readFileSync(join(tasks, task, 'status'), 'utf8'))
  daemon.signal('SIGSTOP')
  while (!readdirSync(tasks).every(isStopped)) continue
}

/** Two files written by turns, so that no event is like the one before. */
function fillQueue(paths: readonly string[]): void {
  const length = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
  const files = paths.map(it => openSync(it, 'a'))
  for (let n = 0; n < length * 2; n++) writeSync(files[n % 2] ?? 0, 'x')
  files.forEach(closeSync)
}

test('neither what is ignored takes a watch, now or later, nor another repository', async () => {
  await using repo = await governedRepo({ '.gitignore': 'dist/\n*.log\n', 'src/a.ts': 'a\n' })
  for (const it of ['node_modules/a/b/c.js', 'dist/a/b/c.js', 'src/dist/a/b.js']) await repo.write(it, 'x\n')
  await repo.run('git', ['init', '--quiet', 'other'])
  await repo.write('other/src/a.ts', 'x\n')
  await using daemon = await daemonOf(repo)
  const watched = watchesOf(daemon)
  for (const it of ['node_modules/d/e.js', 'lib/dist/a/b/c.js', 'dist/d/e.js']) await repo.write(it, 'x\n')
  await repo.write('src/b.ts', 'b\n')
  const written = (await flushedWrites(repo)).map(it => it.files[0]?.path)
  // One for the new `lib`.
  expect([written, watchesOf(daemon) - watched]).toEqual([['src/b.ts'], 1])
})

test('a directory that git ignores no more is watched, and one that it ignores by now is left', async () => {
  await using repo = await governedRepo({ '.gitignore': 'out/\n', 'src/a.ts': 'a\n' })
  for (const it of ['src/out/a/b.ts', 'src/gen/a/b.ts']) await repo.write(it, 'x\n')
  await using daemon = await daemonOf(repo)
  const watched = watchesOf(daemon)
  await repo.write('.gitignore', 'gen/\n')
  await recordOf(daemon, 'src/out/a/b.ts')
  await repo.write('src/out/a/b.ts', 'x\ny\n')
  expect(await recordOf(daemon, 'src/out/a/b.ts')).toEqual({ op: 'modify', source: 'daemon' })
  expect(watchesOf(daemon)).toBe(watched)
})

test('a directory in which all is ignored is not ignored itself', async () => {
  await using repo = await governedRepo({ '.gitignore': '*.log\n' })
  await repo.write('src/new/debug.log', 'x\n')
  await using daemon = await daemonOf(repo)
  await repo.write('src/new/a.ts', 'a\n')
  expect(await recordOf(daemon, 'src/new/a.ts')).toEqual({ op: 'create', source: 'daemon' })
})

/** How many inotify watches a process holds. */
function watchesOf({ pid }: RunningProgram): number {
  const folder = `/proc/${pid}/fdinfo`
  return readdirSync(folder).reduce((sum, it) => sum + watchesIn(join(folder, it)), 0)
}

// A descriptor may be closed meanwhile: it was none of these.
function watchesIn(info: string): number {
  try {
    return readFileSync(info, 'utf8').split('inotify wd:').length - 1
  } catch {
    return 0
  }
}

test('when watches run out it says so once, with the fix, and git finds what no event tells of', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n', 'src/far/b.ts': 'b\n' })
  await using daemon = await daemonOf(repo, await without(repo, { code: 'ENOSPC', below: '/src/far' }))
  await repo.write('src/far/b.ts', 'b\nc\n')
  expect(await recordOf(daemon, 'src/far/b.ts')).toEqual({ op: 'modify', source: 'reconcile' })
  await repo.write('src/a.ts', 'a\nb\n')
  expect(await recordOf(daemon, 'src/a.ts')).toEqual({ op: 'modify', source: 'daemon' })
  const problems = daemon.lines.filter(it => it.includes('"event":"problem"'))
  expect(problems).toEqual([expect.stringContaining('sudo sysctl fs.inotify.max_user_watches=')])
  expect(JSON.parse(problems[0] ?? '')).toMatchObject({ code: 'watch-limited' })
})

test('when there is no watch at all it says so once, with the fix, and polls', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  await using daemon = await daemonOf(repo, await without(repo, { code: 'EMFILE', below: '' }))
  await repo.write('src/new/a.ts', 'a\n')
  expect(await recordOf(daemon, 'src/new/a.ts')).toEqual({ op: 'create', source: 'daemon' })
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '--quiet', '-m', 'past the hooks')
  expect(await daemon.line(/"event":"violation"/)).toContain('intent-named')
  const problems = daemon.lines.filter(it => it.includes('"event":"problem"'))
  expect(problems).toEqual([expect.stringContaining('sudo sysctl fs.inotify.max_user_instances=')])
})

/** An environment in which the system gives no watch for some directories. */
async function without(repo: Repo, { code, below }: { code: string; below: string }): Promise<Record<string, string>> {
  const script = `
    const fs = require('node:fs'), { watch } = fs
    fs.watch = (path, ...more) => {
      if (!path.includes(${JSON.stringify(below)})) return watch(path, ...more)
      throw Object.assign(new Error('watch'), { code: ${JSON.stringify(code)} })
    }
    require('node:module').syncBuiltinESMExports()`
  await repo.write('../preload.cjs', script)
  return { NODE_OPTIONS: `--require=${join(repo.base, 'preload.cjs')}` }
}
