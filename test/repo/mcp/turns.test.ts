import { expect, test } from 'vitest'
import { turnQueue } from '../../../src/shells/mcp/turn-queue.ts'
import { connectMcp, idleRepo, PROTOCOL_ERAS } from '../../rig/mcp-client.ts'

const REASON = { globs: ['lib/**'], reason: 'to test' }

test.each(PROTOCOL_ERAS)('%s: requests that are sent at once are answered one after the other', async era => {
  await using repo = await idleRepo()
  await using mcp = await connectMcp(repo, { era })
  const answered: number[] = []
  const send = async (n: number) => {
    const { isError } = await (n === 0
      ? mcp.call('select_active_intent', { intent_id: 'INT-001' })
      : mcp.call('intent_context'))
    if (!isError) answered.push(n)
  }
  const numbers = [...Array.from({ length: 40 }).keys()]
  await Promise.all(numbers.map(send))
  expect(answered).toEqual(numbers)
})

test('while a person thinks about a question, other calls are answered', async () => {
  await using repo = await idleRepo()
  let others: Promise<boolean> | undefined
  const person = async () => {
    others = mcp.call('list_intents').then(it => it.isError)
    expect(await others).toBe(false)
    return { action: 'accept' as const, content: { answer: 'grant' } }
  }
  await using mcp = await connectMcp(repo, { person })
  await mcp.call('select_active_intent', { intent_id: 'INT-001' })
  expect((await mcp.call('request_scope_expansion', REASON)).value).toMatchObject({ verdict: 'granted' })
  expect(await others).toBe(false)
})

test('a long queue stops the input until it is shorter, and a failed task gives its turn away', async () => {
  const input: string[] = []
  const turns = turnQueue({ pause: () => input.push('pause'), resume: () => input.push('resume') })
  let running = 0
  const task = (n: number) =>
    turns.take(async () => {
      expect(++running).toBe(1)
      await Promise.resolve()
      running--
      if (n % 2 === 1) throw new Error(`${n}`)
      return n
    })
  const first = await Promise.allSettled(Array.from({ length: 65 }, (_, n) => task(n)))
  expect(first.map(it => (it.status === 'fulfilled' ? it.value : Number(it.reason.message)))).toEqual([
    ...Array.from({ length: 65 }).keys(),
  ])
  expect(input).toEqual(['pause', 'resume'])
  await Promise.allSettled(Array.from({ length: 64 }, (_, n) => task(n)))
  expect(input).toEqual(['pause', 'resume'])
})
