import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openParser } from '../../../src/world/code/meaning/parser.ts'
import { parserProgram, processState, realParser } from '../../rig/parser-programs.ts'
import { randomFrom } from '../../rig/random.ts'
import { startProgram } from '../../rig/running-program.ts'
import { watchCaller } from '../../rig/watch-caller.ts'

const PATIENT = { answerMsMax: 2_000, startMsMax: 5_000, heapMiB: 64 }
const SHORT = { answerMsMax: 300, startMsMax: 700 }
// What a busy machine may add to the two limits.
const LATE_MS_MAX = 3_000

const onMessage = (code: string) => `process.on('message', () => { ${code} })`

test.each([
  ['does not end', onMessage('for (;;) {}'), 'the parser took too long'],
  ['does not answer', onMessage('setInterval(() => {}, 1000)'), 'the parser took too long'],
  ['closes the channel', onMessage('process.disconnect(); setInterval(() => {}, 1000)'), 'the parser took too long'],
  ['exits', onMessage('process.exit(7)'), 'the parser failed'],
  ['exits before a question', 'process.exit(0)', 'the parser failed'],
  ['throws', onMessage("throw new Error('broken')"), 'the parser failed'],
  ['traps', onMessage('process.abort()'), 'the parser failed'],
  ['has a syntax error', '(', null],
  ['allocates without end', onMessage('const all = []; for (;;) all.push(new Array(1e4).fill(0))'), null],
])('a parser that %s costs its caller one answer, and the next has a new process', async (_, code, reason) => {
  const program = parserProgram(code)
  const limits = reason === 'the parser took too long' ? SHORT : PATIENT
  using parser = openParser({ program: program.file, limits })
  for (const round of [1, 2]) {
    const start = performance.now()
    const { answer, cost } = await watchCaller(() => parser.declarationsOf('a.ts', 'type A = 1'))
    expect(answer).toEqual({ declarations: null, reason: reason ?? expect.stringMatching(/failed|took too long/) })
    expect(performance.now() - start).toBeLessThan(limits.answerMsMax + limits.startMsMax + LATE_MS_MAX)
    expect(cost.busyMsMax).toBeLessThan(200)
    expect(cost.grownMiB).toBeLessThan(60)
    await expect.poll(() => program.pids().map(processState)).toEqual(code === '(' ? [] : Array(round).fill(null))
  }
})

test('a parser that ended between two questions is replaced without a lost answer', async () => {
  const program = realParser()
  using parser = openParser({ program: program.file })
  const answer = { declarations: [expect.objectContaining({ name: 'A' })], reason: null }
  expect(await parser.declarationsOf('a.ts', 'type A = 1')).toEqual(answer)
  process.kill(program.pids()[0]!, 'SIGKILL')
  await expect.poll(() => processState(program.pids()[0]!)).toBeNull()
  expect(await parser.declarationsOf('a.ts', 'type A = 1')).toEqual(answer)
  expect(new Set(program.pids()).size).toBe(2)
})

test('a parser that is no longer used is gone', async () => {
  const program = realParser()
  {
    using parser = openParser({ program: program.file })
    await parser.declarationsOf('a.ts', 'type A = 1')
  }
  await expect.poll(() => program.pids().map(processState)).toEqual([null])
})

const CALLER = `
const child = require('node:child_process').fork(process.argv[2], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
child.on('message', () => console.log('answered'))
child.send({ type: 'declarations', path: 'a.ts', text: 'type A = 1' })
`

test.each([
  ['waits', '', 'answered'],
  ['is busy', "process.prependListener('message', () => { note('busy'); for (;;) {} })", 'busy'],
])('a parser that %s ends with a caller that is killed', async (_, code, sign) => {
  const program = realParser(code)
  const caller = join(tmpdir(), `caller-${sign}.cjs`)
  writeFileSync(caller, CALLER)
  await using running = startProgram(process.execPath, [caller, program.file], { cwd: tmpdir(), env: {} })
  await expect.poll(() => [...running.lines, ...program.notes()]).toContain(sign)
  running.signal('SIGKILL')
  await running.ended
  // An orphan is a zombie until init looks at it.
  await expect.poll(() => processState(program.pids()[0]!) ?? 'Z').toBe('Z')
})

const CHARS_MAX = 1_048_576
const filled = (text: string, length = CHARS_MAX) => text.repeat(Math.floor(length / text.length))
const random = randomFrom(7)
const garbage = Array.from(
  { length: CHARS_MAX },
  () => '(){}[]<>;,.:=+-*/&|!?"\'`#$@\\ \n\tab01'[random.below(36)],
).join('')

test.each<readonly [what: string, extension: string, text: string]>([
  ...'ts tsx js py go rs java c cc cs rb php'.split(' ').map(it => ['garbage', it, garbage] as const),
  ['parentheses without end', 'py', '('.repeat(200_000)],
  ['blocks without end', 'c', '{'.repeat(200_000)],
  ['classes without end', 'java', filled('class A { ', 400_000)],
  ['a megabyte on one line', 'ts', filled('a = b(c); ')],
  ['NUL bytes', 'go', filled('int a\0b; \0')],
  ['halves of surrogate pairs', 'rs', filled('a\ud800 = "\udc00"; ')],
  ['declarations without end', 'cs', filled('class a{}\n')],
])('%s in a file .%s is answered or given up in time, and so is the next text', async (_, extension, text) => {
  const program = realParser()
  using parser = openParser({ program: program.file, limits: SHORT })
  const start = performance.now()
  const { answer, cost } = await watchCaller(() => parser.declarationsOf(`a.${extension}`, text))
  expect(performance.now() - start).toBeLessThan(1_000 + LATE_MS_MAX)
  expect([null, 'the parser took too long', 'the parser failed']).toContain(answer.reason)
  expect(cost.busyMsMax).toBeLessThan(200)
  expect(cost.grownMiB).toBeLessThan(60)
  const next = async () => (await parser.declarationsOf('a.ts', 'type A = 1')).declarations?.length
  await expect.poll(next).toBe(1)
  await expect.poll(() => program.pids().slice(0, -1).map(processState)).not.toContain('Z')
})

test('a chain of operators that is deeper than calls can be nested is read', async () => {
  using parser = openParser({ program: realParser().file, limits: { answerMsMax: 20_000 } })
  const { declarations } = await parser.declarationsOf('a.ts', `const sum = ${'1 +\n'.repeat(50_000)} 1\ntype A = 1`)
  expect(declarations?.map(it => [it.name, it.endLine])).toEqual([
    ['sum', 50_001],
    ['A', 50_002],
  ])
})
