import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'

const RED = '\x1b[31m'
const STEERING = /(?!\n)\p{Cc}|\p{Bidi_Control}/u

test.each([
  ['the path that is asked for', ['scope', `${RED}\u202e/x`]],
  ['an intent that is not there', ['intent', 'show', RED]],
  ['a command that is not there', [RED]],
  ['a page that is not there', ['explain', `a\u2066${RED}`]],
  ["a commit's subject", ['log']],
  ["a commit's subject in JSON", ['log', '--json']],
])('%s does not get to the terminal as it is', async (_, words) => {
  await using repo = await hookedRepo()
  await repo.git('commit', '-q', '--allow-empty', '-m', `a ${RED} b \u202e c \u009b31m`)
  const { stdout, stderr } = await repo.kotef(...words)
  expect(stdout + stderr).not.toMatch(STEERING)
  expect(stdout + stderr).toContain('\\u001b[31m')
})

test('a hook spells out the path that it refuses', async () => {
  await using repo = await hookedRepo()
  await repo.write(`lib/${RED}\u202e`, 'x\n')
  await repo.git('add', '--all')
  const { code, stderr } = await repo.run('git', ['commit', '-qm', 'w'])
  expect([code, stderr]).toEqual([1, expect.not.stringMatching(STEERING)])
  expect(stderr).toContain('\\u001b[31m\\u202e')
})

test.each([
  ['--agent', ['intent', 'start', 'INT-001', '--agent', RED]],
  ['--model', ['intent', 'start', 'INT-001', '--agent', 'a', '--model', 'a\nb']],
  ['--name', ['intent', 'add', '--name', `x${RED}`]],
])('%s takes no control characters', async (flag, words) => {
  await using repo = await hookedRepo()
  const { failure } = await runCli(repo, ...words)
  expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining(`${flag} takes one line`) })
})

test('--json may stand before the verb as well', async () => {
  await using repo = await hookedRepo()
  const before = JSON.parse((await repo.kotef('--json', 'intent', 'list')).stdout) as unknown
  expect(before).toEqual(JSON.parse((await repo.kotef('intent', 'list', '--json')).stdout))
  expect(JSON.parse((await repo.kotef('--json', 'nothing')).stdout)).toMatchObject({ error: { code: 'usage' } })
})

test('a completion script comes as one document as well', async () => {
  await using repo = await hookedRepo()
  const { stdout } = await repo.kotef('completion', 'bash')
  expect(JSON.parse((await repo.kotef('completion', 'bash', '--json')).stdout)).toEqual({ script: stdout })
})
