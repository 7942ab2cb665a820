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
  const { code, stderr } = await runCommands(repo, commands, { CLAUDECODE: '1' })
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

const COMMIT = `git commit -qam x ${FOR_2}`

test('FR-013: an agent commits for no other intent than its own, and is told how it goes on', async () => {
  await using repo = await judgedRepoOfAgent()
  const { code, stderr } = await runByAgent(repo, `${WRITE}; ${COMMIT}`)
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /block +the message cites INT-002, and the agent works for INT-001\n +Cite `Intent-ID: INT-001`/,
  )
})

test.each<[string, string, string]>([
  ['a team may lower it, and it is recorded', 'warn', COMMIT],
  ['without the hook that refuses it', 'block', COMMIT.replace('commit', 'commit --no-verify')],
])("an agent's commit for another intent stands in verify as it would in the hook: %s", async (_, level, commit) => {
  await using repo = await judgedRepoOfAgent()
  const setting = `echo 'rules: { other-intent: ${level} }' >>.orchestration/config.yaml`
  await playOrThrow(repo, `${setting}; git commit -qam rules -m 'Governance: rules'`)
  await judgeNewHistory(repo)
  expect(await runByAgent(repo, `${WRITE}; ${commit}`)).toMatchObject({ code: 0 })
  expect(await judgeNewHistory(repo)).toEqual(['other-intent - in x'])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`${level} other-intent - in x`])
})

test.each<[string, string]>([
  ['an agent, past all hooks', `git -c core.hooksPath=/dev/null commit -qam x ${FOR_2}`],
  ['a person, who may want it', COMMIT],
])('what an agent wrote for its intent is listed when it is committed for another one by %s', async (by, commit) => {
  await using repo = await judgedRepoOfAgent()
  await runByAgent(repo, WRITE)
  if (by.startsWith('a person')) await playOrThrow(repo, `kotef session end --all; ${commit}`)
  else await runByAgent(repo, commit)
  expect(await judgeNewHistory(repo)).toEqual(['other-intent docs/b.md in x'])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual(['review other-intent docs/b.md in x'])
})

test("what an agent has committed for another intent is a person's once that person has amended it", async () => {
  await using repo = await judgedRepoOfAgent()
  await runByAgent(repo, `${WRITE}; ${COMMIT.replace('commit', 'commit --no-verify')}`)
  await judgeNewHistory(repo)
  await playOrThrow(repo, 'kotef session end --all; git commit -q --amend --no-edit')
  await judgeNewHistory(repo)
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([])
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
