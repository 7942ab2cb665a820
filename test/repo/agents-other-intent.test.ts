import { expect, test } from 'vitest'
import { claudeSession } from '../rig/agent-hooks.ts'
import { fixture } from '../rig/fixture.ts'
import { flushedRecords, startWatching } from '../rig/governed-repo.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { judgeNewHistory, playOrThrow, runCommands } from '../rig/judged-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { verifyFindings } from '../rig/verify-findings.ts'

const template = fixture(() => hookedRepo({ start: null }))

/** An agent that works for INT-001 runs commands, and is told when one of them is outside of its scope. */
async function runByAgent(repo: Repo, commands: string) {
  const agent = claudeSession(repo, 's')
  await agent.willRun('make')
  const { code, stderr } = await runCommands(repo, commands)
  await agent.hasRun('make').catch(() => {})
  return { code, stderr }
}

async function judgedRepoOfAgent(): Promise<Repo> {
  const repo = await copyGoverned(template())
  await judgeNewHistory(repo)
  return repo
}

const WRITE = 'echo evil >>docs/b.md'
const FOR_2 = "-m 'Intent-ID: INT-002'"

test.each([
  ['through the hooks, which show it', `git commit -qam x ${FOR_2}`, /review +the message cites INT-002, and the/],
  ['past them', `git -c core.hooksPath=/dev/null commit -qam x ${FOR_2}`, /^$/],
])('what an agent wrote for its intent and commits for another one is told: %s', async (_, commit, said) => {
  await using repo = await judgedRepoOfAgent()
  await runByAgent(repo, WRITE)
  expect(await runByAgent(repo, commit)).toEqual({ code: 0, stderr: expect.stringMatching(said) })
  expect(await judgeNewHistory(repo)).toEqual(['other-intent docs/b.md in x'])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual(['review other-intent docs/b.md in x'])
})

test('it is told by a daemon as well, when one command writes and commits', async () => {
  await using repo = await judgedRepoOfAgent()
  await using _daemon = await startWatching(repo)
  await runByAgent(repo, `${WRITE}; git -c core.hooksPath=/dev/null commit -qam x ${FOR_2}`)
  const records = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'])
  expect(records).toContainEqual(expect.objectContaining({ rule: 'other-intent', path: 'docs/b.md' }))
})

test('what an agent wrote within its scope is for the intent that a person names', async () => {
  await using repo = await judgedRepoOfAgent()
  await runByAgent(repo, 'echo a >>src/a.ts')
  const both = `echo b >>docs/b.md; git commit -qam x -m 'Intent-ID: INT-001' ${FOR_2}`
  await playOrThrow(repo, both)
  expect(await judgeNewHistory(repo)).toEqual([])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([])
})
