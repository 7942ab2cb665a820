import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { manualClock } from '../../rig/manual-clock.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { startRacer, startRacers } from '../../rig/racers.ts'
import type { Repo } from '../../rig/repo.ts'
import { claimHolders, selectOrThrow, trySelect, addWorktree } from '../../rig/selection.ts'

const ROUNDS = Array.from({ length: 20 }, (_, n) => `INT-${String(n + 1).padStart(3, '0')}`)
const REGISTRY = `version: 1
active_intents:
${ROUNDS.map(id => `  - { id: ${id}, name: round, status: PENDING, owned_scope: ["${id}/**"] }\n`).join('')}`

const racing = () => hookedRepo({ registry: REGISTRY, start: null })

test('of eight processes in eight worktrees that select an intent at once one has it, in 20 rounds', async () => {
  await using repo = await racing()
  await using racers = await startRacers(repo, [repo.root, ...(await worktreesOf(repo, 7))])
  for (const intent of ROUNDS) {
    const said = await racers.select(intent)
    expect(said.toSorted(), intent).toEqual([...Array<string>(7).fill('claim-held'), 'won'])
    expect((await claimHolders(repo))[intent]).toBe(`agent-${said.indexOf('won')} ${intent}`)
  }
})

test('several processes in one worktree: one has the intent as well', async () => {
  await using repo = await racing()
  await using racers = await startRacers(repo, Array<string>(3).fill(repo.root))
  expect((await racers.select('INT-001')).sort()).toEqual(['claim-held', 'claim-held', 'won'])
})

test('of several that find the holder dead, one takes its place', async () => {
  await using repo = await racing()
  await using dead = await startRacer(repo, repo.root, 'dead')
  dead.type('INT-001\n')
  await dead.line(/^INT-001 won$/)
  dead.signal('SIGKILL')
  await dead.ended
  await using racers = await startRacers(repo, await worktreesOf(repo, 3))
  expect((await racers.select('INT-001')).sort()).toEqual(['claim-held', 'claim-held', 'won'])
})

test('who is killed between its claim and its session leaves nothing in the way', async () => {
  await using repo = await racing()
  await using racer = await startRacer(repo, repo.root, 'dead', 'die')
  racer.type('INT-001\n')
  expect(await racer.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await claimHolders(repo)).toEqual({ 'INT-001': 'dead INT-001' })
  // On another machine nobody knows whether that process lives.
  const clock = manualClock(Date.now())
  expect((await trySelect(repo, { session: 't', clock })).refusal?.code).toBe('claim-held')
  const { stolen } = await selectOrThrow(repo, { session: 't', clock: { ...clock, host: hostname() } })
  expect(stolen).toEqual({ from: 'dead INT-001', why: 'process-gone' })
})

async function worktreesOf(repo: Repo, count: number): Promise<string[]> {
  const places: string[] = []
  for (let n = 0; n < count; n++) places.push(await addWorktree(repo, `w${n}`))
  return places
}
