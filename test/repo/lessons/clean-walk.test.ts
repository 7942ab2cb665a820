import { expect, test } from 'vitest'
import { grantRequest, proposalFor } from '../../../src/world/approvals/answer-request.ts'
import { addRequest } from '../../../src/world/approvals/requests.ts'
import { systemClock } from '../../../src/world/io/process/clock.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runCli } from '../../rig/command-line.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { selectOrThrow } from '../../rig/selection.ts'
import { answeredClaude } from '../../rig/session-runs.ts'

const FILE = '.orchestration/AGENT.md'
const REGISTRY = `version: 1
active_intents: [{ id: INT-001, name: work, status: PENDING, owned_scope: ["src/**"] }]
`

/** A repository that has other lessons on a branch `there`. */
const template = fixture(async () => {
  const repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.play(`git branch there; git switch -q there; echo '- there' >>${FILE}
    git -c core.hooksPath=/dev/null commit -qam there; git switch -q main`)
  return repo
})

/** What people and agents do here, one step after the other. */
function workIn(repo: Repo) {
  let [sessions, writes, isLive] = [0, 0, false]
  const agent = () => answeredClaude(repo, `s${sessions}`)
  const commit = async (message: string) => {
    expect(await repo.play(`git commit -qam ${message}`)).toMatchObject({ code: 0 })
  }
  return {
    async begin() {
      if (isLive) return agent().say('UserPromptSubmit', { prompt: 'go on' })
      sessions++
      isLive = true
      return selectOrThrow(repo, { session: `s${sessions}`, clock: systemClock })
    },
    async fix() {
      await agent().runs('npm test', { exit: 1, output: `Error${++writes}: no x at src/b.ts:1:1` })
      await agent().writes('src/a.ts', `${++writes}\n`)
      // Without a session it is refused.
      if (!isLive) return
      await commit('fix')
      await agent().runs('npm test')
    },
    async work() {
      await agent().writes('src/a.ts', `${++writes}\n`)
      // Without a session it is refused.
      if (!isLive) return
      await commit('work')
      await agent().runs('git commit -qam work')
    },
    async person() {
      await repo.write('src/b.ts', `${++writes}\n`)
      await commit("person -m 'Intent-ID: INT-001'")
    },
    async grant() {
      const workspace = await openWorkspace(repo.root)
      const asked = { intent: 'INT-001', kind: 'scope', reason: 'r' } as const
      const { id } = await addRequest(workspace, {
        ...asked,
        wants: [`more/${++writes}/**`],
        session: `s${sessions}`,
        agent: 'claude',
      })
      await grantRequest(workspace, await proposalFor(workspace, id), { via: 'command', person: 'unproved' })
      await commit("scope -m 'Governance: granted'")
    },
    async end() {
      await agent().say('SessionEnd', { reason: 'other' })
      await runCli(repo, 'session', 'end', '--all')
      isLive = false
    },
  }
}

const OF_GIT = [
  `(cd ../other; sed -i '1a - theirs' ${FILE}; git pull -q --rebase; git commit -qam theirs; git push -q origin main)
   git pull -q --rebase origin main; git -c core.hooksPath=/dev/null push -q origin main`,
  'git switch -q there; git switch -q main',
  'echo mine >>src/b.ts; git stash -q; git stash pop -q; git checkout -q src/b.ts',
]

const STEPS = ['begin', 'fix', 'work', 'person', 'grant', 'end'] as const

// Of a session, which goes on: a lesson that a commit has, and one that waits.
const START = ['begin', 'fix', 'work', 'fix', 'work', 'fix', 'work'] as const

type Step = (typeof STEPS)[number]

/** From a step to each later one and back, so that the walk over all steps has each step after each, itself as well. */
const around = (one: Step): Step[] => [one, ...STEPS.slice(STEPS.indexOf(one) + 1).flatMap(other => [one, other])]

// All tests go on in one repository, under one daemon.
const world = fixture(async () => {
  const repo = await copyGoverned(template())
  await repo.play(`git clone -q --bare . ../origin; git remote add origin ../origin; git clone -q ../origin ../other`)
  const daemon = await startWatching(repo)
  return {
    repo,
    work: workIn(repo),
    count: 0,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
})

/** Goes on with these steps, and has git pull, switch or stash after each. */
async function walk(steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { repo, work } = world()
    await work[step]()
    const n = world().count++
    const command = OF_GIT[n % OF_GIT.length] ?? ''
    // What git says of the tree is all that is printed.
    const { code, stdout } = await repo.play(`git status --porcelain; ${command} && git status --porcelain`)
    expect({ code, stdout }, `step ${n}, ${step}, ${command}`).toEqual({ code: 0, stdout: '' })
  }
}

test('the walk has each step after each', () => {
  const steps = [...STEPS.flatMap(around), STEPS[0]]
  const pairs = steps.slice(1).map((step, n) => `${steps[n]} ${step}`)
  expect(pairs.toSorted()).toEqual(STEPS.flatMap(one => STEPS.map(other => `${one} ${other}`)).toSorted())
})

test('lessons that commits take along, and that wait, leave the tree clean', () => walk(START))

test.each(STEPS)(
  'whatever follows %s, and is followed by it, a clean tree stays clean, and git pulls, switches and stashes',
  one => walk(around(one)),
)

test('and so it goes on with the first step', async () => {
  await walk([STEPS[0]])
  expect(await world().repo.read(FILE)).toMatch(/^- `npm test` failed/m)
})
