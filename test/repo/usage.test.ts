import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'

const repo = fixture(hookedRepo)

test.each([
  ['a missing file', ['blame'], 'Usage: kotef blame [options] <file>'],
  ['an option that is none', ['log', '--nope'], 'Usage: kotef log [options] [range]'],
  ['a word too many', ['intent', 'list', 'x'], 'Usage: kotef intent list [options]'],
])('wrong usage prints the usage of the verb: %s (solo C2)', async (_, words, usage) => {
  const { failure } = await runCli(repo(), ...words)
  expect([failure?.code, failure?.hint.split('\n')[0]]).toEqual(['usage', usage])
})

test.each([
  [['intent', 'add', '--acceptance', 'x'], '(Did you mean --criterion?)'],
  [['intent', 'add', '--acceptance-criteria', 'x'], '(Did you mean --criterion?)'],
  [['intent', 'add', '--nmae', 'x'], '(Did you mean --name?)'],
  [['intent', 'start', '--session', 'x'], undefined],
])('an option that is none names the one that is meant: kotef %j (look C12)', async (words, meant) => {
  const { failure } = await runCli(repo(), ...words)
  expect([failure?.code, failure?.message.split('\n')[1]]).toEqual(['usage', meant])
})

test.each([
  [['trace', '--limit', 'x'], 'trace'],
  [['intent', 'frob'], 'intent'],
  [['lesson', 'add', ''], 'lesson add'],
  [['intent', 'start', 'INT-001', '--agent', ''], 'intent start'],
  [['export', 'otlp', '--endpoint', 'nope'], 'export otlp'],
  [['handover', 'message', '--in', 'no/such/file'], 'handover message'],
  [['handover', 'message', '--out', 'src'], 'handover message'],
])('what is wrong with a word names the help of its verb: kotef %j', async (words, verb) => {
  const { failure } = await runCli(repo(), ...words)
  expect([failure?.code, failure?.hint]).toEqual(['usage', `See \`kotef ${verb} --help\``])
})

test('a command that a message names works when it is pasted', async () => {
  await using copy = await copyGoverned(repo())
  for (const words of [
    ['intent', 'add'],
    ['intent', 'start', 'INT-004'],
    ['intent', 'start', 'INT-005'],
    ['verify', '--staged'],
    ['verify', 'nope'],
    ['watch', '--stop'],
  ]) {
    const hint = (await runCli(copy, ...words)).failure?.hint ?? ''
    const commands = [...hint.matchAll(/`((?:kotef|git) [^`]+)`/g)].map(it => it[1] ?? '')
    expect(await copy.play(commands.at(-1) ?? 'false'), hint).toMatchObject({ code: 0 })
  }
  expect((await copy.kotef('intent', 'start', 'INT-008')).code).toBe(0) // The one in place of an abandoned intent.
})

test.each([[[]], [['intent']], [['session']]])('without a verb, help is printed: kotef %s (solo C2)', async words => {
  const { text, exit, failure } = await runCli(repo(), ...words)
  expect([text.split(' ')[0], exit, failure]).toEqual(['Usage:', 0, null])
  expect(await runCli(repo(), ...words, '--json')).toMatchObject({ exit: 2, failure: { code: 'usage' } })
})

test.each([
  ['int', 'intent'],
  ['sta', 'status or stats'],
  ['blaem', 'blame'],
])('a verb that is not there: kotef %s means %s (solo C3)', async (typed, meant) => {
  expect((await runCli(repo(), typed)).failure?.message).toBe(`unknown command '${typed}'\n(Did you mean ${meant}?)`)
})

test('-v is the version (solo C6)', async () => {
  expect((await repo().kotef('-v')).stdout).toBe((await repo().kotef('--version')).stdout)
})
