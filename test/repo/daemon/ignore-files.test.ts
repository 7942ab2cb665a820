import { expect, test } from 'vitest'
import { askGate, bindSession, writeTool } from '../../rig/agent-gate.ts'
import { runCli } from '../../rig/command-line.ts'
import { flushedRecords, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const FILES = { 'src/a.ts': 'a\n', 'lib/b.ts': 'b\n', '.gitignore': 'dist/\n*.log\n' }
const HIDE = "printf '*\\n' >lib/.gitignore"

async function violations(repo: Repo): Promise<string[]> {
  const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
  return events.flatMap(it => (it.event === 'violation' && it.path !== null ? [it.path] : [])).toSorted()
}

test('what a new ignore file hides is recorded with that file, shown by status, and not a free place', async () => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.play(HIDE)
  expect(await violations(repo)).toEqual(['lib/.gitignore'])
  await repo.play('echo x >lib/plugin.ts; mkdir lib/sub; echo y >lib/sub/c.ts; mkdir dist; echo z >dist/d.js')
  await repo.play('echo w >lib/x.log')
  const hidden = ['lib/.gitignore', 'lib/plugin.ts', 'lib/sub/c.ts', 'lib/x.log']
  expect(await violations(repo)).toEqual(hidden)
  expect((await runCli(repo, 'status')).json).toMatchObject({ outOfScope: hidden })
  await bindSession(repo)
  expect(await askGate(repo, 'claude', writeTool('lib/other.ts'))).toMatchObject({ kind: 'denied' })
  expect(await askGate(repo, 'claude', writeTool('dist/other.js'))).toMatchObject({ kind: 'allowed' })
})

test('what was hidden while nobody watched is recorded', async () => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  await repo.play(`${HIDE}; echo x >lib/plugin.ts; mkdir lib/sub; echo y >lib/sub/c.ts`)
  await using _daemon = await startWatching(repo)
  expect(await violations(repo)).toEqual(['lib/.gitignore', 'lib/plugin.ts', 'lib/sub/c.ts'])
})

test.each(['.pytest_cache', 'tools/.ruff_cache', '.venv/lib', 'venv', 'htmlcov'])(
  'the ignored folder of a tool, %s, is quiet',
  async folder => {
    await using repo = await governedRepo(FILES, { agent: 'aider' })
    await using _daemon = await startWatching(repo)
    await repo.play(`mkdir -p ${folder}/v; printf '*\\n' >${folder}/.gitignore; echo x >${folder}/v/x`)
    expect(await violations(repo)).toEqual([])
    expect((await runCli(repo, 'status')).json).toMatchObject({ outOfScope: [] })
  },
)

test.each([
  ['a virtual environment of any name', 'py', "echo >py/pyvenv.cfg; printf '*\\n' >py/.gitignore"],
  ['a build of Meson', 'build', "mkdir build/meson-info; printf '*\\n' >build/.gitignore"],
])('%s is quiet, from the start and later', async (_, folder, commands) => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  await repo.play(`mkdir ${folder}; ${commands}; echo x >${folder}/x`)
  await using _daemon = await startWatching(repo)
  await repo.play(`mkdir ${folder}/v; echo x >${folder}/v/x`)
  expect(await violations(repo)).toEqual([])
  expect((await runCli(repo, 'status')).json).toMatchObject({ outOfScope: [] })
})

test.each([
  ['the words of a tool', 'new', []],
  ['the files of a tool in a folder that has files of git', 'lib', ['pyvenv.cfg']],
])('%s hide nothing', async (_, folder, marks) => {
  await using repo = await governedRepo(FILES, { agent: 'aider' })
  const names = ['.gitignore', 'plugin.ts', ...marks]
  for (const it of names) await repo.write(`${folder}/${it}`, '# Created by virtualenv\n*\n')
  await using _daemon = await startWatching(repo)
  const paths = names.map(it => `${folder}/${it}`)
  expect(await violations(repo)).toEqual(paths)
  expect((await runCli(repo, 'status')).json).toMatchObject({ outOfScope: paths })
})
