import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packedKotef, repositoryRoot } from '../rig/packed-kotef.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

/** A project that has installed the package. */
async function project(files: Readonly<Record<string, string>>): Promise<Repo> {
  const repo = await temporaryRepo(files)
  await mkdir(join(repo.root, 'node_modules'))
  await symlink(packedKotef().root, join(repo.root, 'node_modules/kotef-watch'))
  return repo
}

const USE = `import { createRun } from 'kotef-watch/run'
const run = createRun({ checks: ['tests'], profile: 'fast' })
let calls = 0
for (; run.decide().status === 'running' || run.decide().status === 'warn'; calls++) {
  run.tool({ tool: 'Bash', args: { command: 'npm test' }, result: 'Error: no', exit: 1 })
}
const { status, rule, evidence } = run.decide()
console.log(JSON.stringify({ calls, status, rule, evidence }))
`

test('a program that installed the package guards its own loop', async () => {
  await using repo = await project({ 'use.mjs': USE })
  const { stdout, stderr } = await repo.run('node', ['use.mjs'])
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    calls: 4,
    status: 'aborted_stuck',
    rule: 'same-error',
    evidence: 'Bash: npm test failed 4 times with the same error, and nothing was changed',
  })
})

test('its types come with it, and refuse an event that there is not', async () => {
  const wrong = `import { createRun, type RunAnswer } from 'kotef-watch/run'
const answer: RunAnswer = createRun({ profile: 'strict' }).decide()
const status: 'running' | 'warn' | 'done_success' | 'done_partial' | 'aborted_stuck' | 'aborted_constraint' =
  answer.status
createRun().check({ id: 'tests', command: 'npm test', result: 'green', output: status })
`
  await using repo = await project({ 'use.ts': wrong, 'package.json': '{"type":"module"}' })
  const tsc = join(repositoryRoot, 'node_modules/.bin/tsc')
  const { stdout } = await repo.run(tsc, ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'use.ts'])
  expect(stdout.split('\n').filter(it => it.includes('error'))).toEqual([
    expect.stringContaining(`use.ts(5,55): error TS2322: Type '"green"' is not assignable to type 'CheckResult'`),
  ])
})

test('a run that is kept in a file goes on after its process was killed; a damaged file begins again', async () => {
  const keep = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRun } from 'kotef-watch/run'
const parsed = () => { try { return JSON.parse(readFileSync('run.json', 'utf8')) } catch { return null } }
const run = createRun({ store: { load: parsed, save: state => writeFileSync('run.json', JSON.stringify(state)) } })
run.tool({ tool: 'Read', args: { path: 'a' }, result: 'a' })
console.log(run.decide().status)
if (process.argv[2] === 'killed') process.kill(process.pid, 'SIGKILL')
`
  await using repo = await project({ 'keep.mjs': keep })
  const said: string[] = []
  for (const word of ['killed', 'killed', 'ends', 'killed']) {
    said.push((await repo.run('node', ['keep.mjs', word])).stdout.trim())
  }
  expect(said).toEqual(['running', 'running', 'warn', 'aborted_stuck'])
  for (const damage of ['', '{"version":1', '{"version":99}', '[]', 'null']) {
    await repo.write('run.json', damage)
    expect((await repo.run('node', ['keep.mjs'])).stdout).toBe('running\n')
  }
})
