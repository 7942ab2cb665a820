import { existsSync, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { POLICY_FILES } from '../../src/core/base/governance-files.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { disk } from '../../src/world/io/files/files.ts'
import { brittleFiles, memoryFiles } from '../rig/brittle-files.ts'
import { compileRepo, copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { folderContents } from '../rig/installation.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

test('the build that the tests run on is without a complaint', () => {
  const failure = join(packedKotef().root, '../build-failure')
  expect(existsSync(failure) ? readFileSync(failure, 'utf8') : '').toBe('')
})

test('a repository of the rig knows nothing of this machine, and its dates step by one second', async () => {
  await using repo = await temporaryRepo({ 'a.txt': 'a\n' })
  await repo.git('commit', '--allow-empty', '--message', 'second')
  const log = await repo.git('log', '--format=%an %cn %cI')
  expect(log.split('\n').map(it => it.replace(/T.*$/, ''))).toEqual([
    'Ada Author Cora Committer 2026-01-01',
    'Ada Author Cora Committer 2026-01-01',
    '',
  ])
  const [second, first] = (await repo.git('log', '--format=%ct')).split('\n').map(Number)
  expect(Number(second) - Number(first)).toBe(1)
  expect((await repo.git('config', '--list', '--show-scope')).replaceAll(/^local.*\n/gm, '')).toBe('')
})

test('a copy of a governed repository is compiled as kotef compiles it there', async () => {
  await using model = await hookedRepo()
  await using repo = await copyGoverned(model)
  const [copied, links] = [await compiledIn(repo), await linksIn(repo)]
  expect(await compileRepo(repo)).toBe(true)
  expect(copied).toEqual(await compiledIn(repo))
  expect(links).toEqual(POLICY_FILES.map(it => statSync(join(repo.root, it)).ino))
})

const COMPILED = '.git/kotef/compiled'

// The mark of a compiled scope is another one each time.
async function compiledIn(repo: Repo): Promise<Record<string, string>> {
  const contents = await folderContents(join(repo.root, COMPILED))
  const [, mark = ''] = / end-(\S+)/.exec(contents['active'] ?? '') ?? []
  return { ...contents, active: (contents['active'] ?? '').replaceAll(mark, '<mark>') }
}

async function linksIn(repo: Repo): Promise<number[]> {
  const folder = join(repo.root, COMPILED)
  const names = (await readdir(folder)).filter(it => it.startsWith('source-')).sort()
  return names.map(it => statSync(join(folder, it)).ino)
}

test('a program that ends or fails is an outcome, and one that is left running ends with its repository', async () => {
  let pid = 0
  const commandLine = () => (existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '')
  {
    await using repo = await temporaryRepo()
    expect(await repo.run('sh', ['-c', 'cat; echo no >&2; exit 3'], { input: 'in' })).toEqual({
      code: 3,
      stdout: 'in',
      stderr: 'no\n',
    })
    const { stdout } = await repo.run('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'])
    pid = Number(stdout)
    // The shell tells of it before it has become another program, with an environment that can be read.
    await expect.poll(commandLine).toMatch(/^sleep/)
  }
  // It may stay a zombie where nobody reaps it, which has no command line.
  await expect.poll(commandLine).toBe('')
})

test('the process driver waits for lines and for the end', async () => {
  await using repo = await temporaryRepo()
  await using cat = repo.start('sh', [
    '-c',
    'trap "echo bye; exit 7" TERM; echo ready; while read it; do echo "<$it>"; done; wait',
  ])
  await cat.line(/ready/)
  cat.type('one\n')
  expect(await cat.line(/one/)).toBe('<one>')
  cat.signal('SIGTERM')
  await cat.line(/bye/)
  expect(await cat.ended).toEqual({ code: 7, signal: null })
  await expect(cat.line(/more/)).rejects.toThrow('ended without /more/')
})

test('the workspace can be opened in-process, on a disk that breaks at the k-th call', async () => {
  await using repo = await temporaryRepo({ 'a.txt': 'abcd' })
  const files = brittleFiles(disk, { failing: 2 })
  const workspace = await openWorkspace(repo.root, { files })
  expect(workspace.root).toBe(repo.root)
  await workspace.files.read(join(repo.root, 'a.txt'))
  await expect(workspace.files.append(join(repo.root, 'a.txt'), Buffer.from('efgh'))).rejects.toThrow('EIO')
  expect([await repo.read('a.txt'), files.hasFailed()]).toEqual(['abcdef', true])
})

test('the disk in memory behaves as the real one does', async () => {
  await using repo = await temporaryRepo()
  const reported = async (files: typeof disk) => {
    const path = join(repo.root, 'deep/a')
    await files.replace(path, 'abc')
    await files.append(path, Buffer.from('def'))
    await files.sync(path)
    const end = await files.readEnd(path, 2)
    const facts = [
      String(await files.read(path)),
      String(end?.bytes),
      end?.size,
      String(await files.readAt(path, 1, 3)),
      String(await files.readAt(path, 4, 99)),
      await files.list(join(repo.root, 'deep')),
    ]
    await files.remove(path)
    return [
      ...facts,
      await files.read(path),
      await files.readEnd(path, 9),
      String(await files.readAt(path, 0, 9)),
      await files.list(join(repo.root, 'no')),
      await files.modifiedAt(path),
    ]
  }
  expect(await reported(memoryFiles())).toEqual(await reported(disk))
})
