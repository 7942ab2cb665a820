import { expect, test } from 'vitest'
import { grantRequest, proposalFor } from '../../../src/approvals/answer-request.ts'
import { addRequest } from '../../../src/approvals/requests.ts'
import { systemClock } from '../../../src/io/process/clock.ts'
import { openWorkspace } from '../../../src/worktree/workspace.ts'
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
    refused: () => agent().writes(`lib/${++writes}.ts`, 'x\n'),
    async work() {
      await agent().writes('src/a.ts', `${++writes}\n`)
      // Without a session it is refused.
      if ((await repo.git('diff', '--name-only')) === '') return
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
  `cd ../other; sed -i '1a - theirs' ${FILE}; git pull -q --rebase; git commit -qam theirs; git push -q origin main
   cd ../repo; git pull -q --rebase origin main; git -c core.hooksPath=/dev/null push -q origin main`,
  'git switch -q there; git switch -q main',
  'echo mine >>src/b.ts; git stash -q; git stash pop -q; git checkout -q src/b.ts',
]

const STEPS = ['begin', 'refused', 'work', 'person', 'grant', 'end'] as const

test.each(STEPS)(
  'whatever follows %s, and is followed by it, a clean tree stays clean, and git pulls, switches and stashes',
  async one => {
    await using repo = await copyGoverned(template())
    await repo.play(`git clone -q --bare . ../origin; git remote add origin ../origin; git clone -q ../origin ../other`)
    await using _daemon = await startWatching(repo)
    const work = workIn(repo)
    const steps = [...START, ...STEPS.slice(STEPS.indexOf(one)).flatMap(other => [one, other]), one]
    for (const [n, step] of steps.entries()) {
      await work[step]()
      const tree = await repo.git('status', '--porcelain')
      expect(tree, `step ${n}, ${step}`).toBe('')
      const command = OF_GIT[n % OF_GIT.length] ?? ''
      expect(await repo.play(command), `step ${n}, ${step}, ${command}`).toMatchObject({ code: 0 })
      expect(await repo.git('status', '--porcelain'), `step ${n}, ${step}, ${command}`).toBe('')
    }
    expect(await repo.read(FILE)).toMatch(/^- .* refused for INT-001/m)
  },
)

// Of a session, which goes on: a lesson that a commit has, and one that waits.
const START = ['begin', 'refused', 'work', 'refused', 'work', 'refused', 'work'] as const
