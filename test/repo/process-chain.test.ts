import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { processChain, processReader, readerByPs } from '../../src/world/io/process/process-chain.ts'

test('the chain leads from this process to the first one of the system', () => {
  const chain = processChain(processReader())
  expect(chain[0]).toMatchObject({ pid: process.pid, parent: process.ppid })
  expect(chain.slice(1).map(it => it.pid)).toEqual(chain.slice(0, -1).map(it => it.parent))
  expect(chain.at(-1)?.parent).toBe(0)
})

test('a process that has ended has no facts', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  expect(processReader()(child.pid ?? 0)).toBeNull()
})

test('a variable that an agent has set stays with what it has started', async () => {
  const child = spawn('sh', ['-c', 'unset CLAUDECODE; echo; read it'], { env: { ...process.env, CLAUDECODE: '1' } })
  await once(child.stdout, 'data')
  expect(processReader()(child.pid ?? 0)).toMatchObject({ agentVariable: 'CLAUDECODE' })
  child.stdin.end()
  await once(child, 'exit')
})

test.each([
  ['/proc', processReader],
  ['ps', readerByPs],
])('%s knows when a process started, and whether it leads its session', async (_, open) => {
  const before = Date.now()
  const child = spawn('sh', ['-c', 'echo; read it'], { detached: true })
  await once(child.stdout, 'data')
  const after = Date.now()
  const facts = open()(child.pid ?? 0)
  expect(facts).toMatchObject({ pid: child.pid, parent: process.pid, isLeader: true, terminal: null })
  // The latest moment at which it can have started: never too early, which would make a terminal seem old.
  expect(facts?.startedAt).toBeGreaterThanOrEqual(before)
  expect(facts?.startedAt).toBeLessThan(after + 3000)
  child.stdin.end()
  await once(child, 'exit')
})
