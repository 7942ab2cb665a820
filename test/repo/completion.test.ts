import { expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'

const repo = fixture(hookedRepo)

const suggested = async (...words: string[]) => (await repo().kotef('complete', '--', ...words)).stdout

test.each<[string, string[], RegExp]>([
  ['files for blame', ['blame', ''], /^:0$/m],
  ['files for why', ['why', 'src/'], /^:0$/m],
  ['files for the second path of scope', ['scope', 'a', ''], /^:0$/m],
  ['files for --file', ['trace', '--file', ''], /^:0$/m],
  ['intents for show', ['show', ''], /^INT-001\twork$/m],
  ['intents for --intent', ['log', '--limit', '3', '--intent', 'INT-00'], /^INT-002\tdocs$/m],
  ['codes for explain', ['explain', 'intent-'], /^intent-known$/m],
  ['a session to end', ['session', 'end', ''], /^[0-9a-f-]{36}\ta person, INT-001$/m],
  ['shells', ['completion', 'f'], /^fish$/m],
  ['the values of a flag', ['init', '--hooks', ''], /^husky$/m],
  ['the forms of a report', ['report', '--format', ''], /^html$/m],
])('completes %s (solo C1)', async (_, words, expected) => {
  expect(await suggested(...words)).toMatch(expected)
})

test('completes the sessions of a handover', async () => {
  const name = (await repo().kotef('handover', 'new', 'refunds')).stdout.split(' ')[0] ?? ''
  expect(await suggested('handover', 'status', '')).toContain(`${name}\n`)
  expect(await suggested('handover', 'answer', '--session', '2')).toContain(`${name}\n`)
})

test('suggests no verb that people do not call, and no verb after an argument (solo C1)', async () => {
  expect(await suggested('')).toMatch(/^completion\t/m)
  expect(await suggested('comp')).not.toMatch(/^(complete|completion-script)\b/m)
  expect(await suggested('show', 'INT-001', '')).toBe(':4\n')
})

// A bash as on a machine without the package bash-completion.
const ASK = `__line() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); __kotef_complete; printf '%s\\n' "\${COMPREPLY[@]}"
}`

test('the script works in plain bash, also when it is read twice (solo C1)', async () => {
  const script = `source <(kotef completion bash); source <(kotef completion bash); complete -p kotef; ${ASK}
    __line kotef blame src/a; __line kotef intent start ''; __line kotef intent st`
  const { code, stdout, stderr } = await repo().run('bash', ['--norc', '-c', script])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['src/a.ts', 'INT-001', 'INT-003', 'start']))
  expect(stdout).not.toContain('status')
})
