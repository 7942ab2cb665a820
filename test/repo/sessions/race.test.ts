import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { handClock } from '../../rig/clock.ts'
import { hookedRepo } from '../../rig/hooked.ts'
import { racerIn, racersIn } from '../../rig/racing.ts'
import type { Repo } from '../../rig/repo.ts'
import { holders, selected, selecting, worktreeOf } from '../../rig/selecting.ts'

const ROUNDS = Array.from({ length: 20 }, (_, n) => `INT-${String(n + 1).padStart(3, '0')}`)
const REGISTRY = `version: 1
active_intents:
${ROUNDS.map(id => `  - { id: ${id}, name: round, status: PENDING, owned_scope: ["${id}/**"] }\n`).join('')}`

const racing = () => hookedRepo({ registry: REGISTRY, start: null })

test('of eight processes in eight worktrees that select an intent at once one has it, in 20 rounds', async () => {
  await using repo = await racing()
  await using racers = await racersIn(repo, [repo.root, ...(await worktreesOf(repo, 7))])
  for (const intent of ROUNDS) {
    const said = await racers.select(intent)
    expect(said.toSorted(), intent).toEqual([...Array<string>(7).fill('claim-held'), 'won'])
    expect((await holders(repo))[intent]).toBe(`agent-${said.indexOf('won')} ${intent}`)
  }
})

test('several processes in one worktree: one has the intent as well', async () => {
  await using repo = await racing()
  await using racers = await racersIn(repo, Array<string>(3).fill(repo.root))
  expect((await racers.select('INT-001')).sort()).toEqual(['claim-held', 'claim-held', 'won'])
})

test('of several that find the holder dead, one takes its place', async () => {
  await using repo = await racing()
  await using dead = await racerIn(repo, repo.root, 'dead')
  dead.type('INT-001\n')
  await dead.line(/^INT-001 won$/)
  dead.signal('SIGKILL')
  await dead.ended
  await using racers = await racersIn(repo, await worktreesOf(repo, 3))
  expect((await racers.select('INT-001')).sort()).toEqual(['claim-held', 'claim-held', 'won'])
})

test('who is killed between its claim and its session leaves nothing in the way', async () => {
  await using repo = await racing()
  await using racer = await racerIn(repo, repo.root, 'dead', 'die')
  racer.type('INT-001\n')
  expect(await racer.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await holders(repo)).toEqual({ 'INT-001': 'dead INT-001' })
  // On another machine nobody knows whether that process lives.
  const clock = handClock(Date.now())
  expect((await selecting(repo, { session: 't', clock })).refusal?.code).toBe('claim-held')
  const { stolen } = await selected(repo, { session: 't', clock: { ...clock, host: hostname() } })
  expect(stolen).toEqual({ from: 'dead INT-001', why: 'process-gone' })
})

async function worktreesOf(repo: Repo, count: number): Promise<string[]> {
  const places: string[] = []
  for (let n = 0; n < count; n++) places.push(await worktreeOf(repo, `w${n}`))
  return places
}
