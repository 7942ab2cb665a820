import { describe, expect, test } from 'vitest'
import { claudeSession } from '../rig/agent-hooks.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import { judgeNewHistory, playOrThrow, runCommands } from '../rig/judged-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { approveAtTerminal } from '../rig/terminal.ts'
import { bypass, verifyFindings } from '../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const WIDEN = `sed -i '/INT-001/s|src/..|**|' ${REGISTRY}`

const template = fixture(() => hookedRepo({ start: null }))

/** A scope that was wide, and was narrowed by a person. */
async function narrowedRepo(): Promise<Repo> {
  const repo = await copyGoverned(template())
  await playOrThrow(repo, `cp ${REGISTRY} ../narrow; ${WIDEN}; ${bypass('wide', 'Governance: wide')}`)
  await playOrThrow(repo, `cp ../narrow ${REGISTRY}; ${bypass('narrow', 'Governance: narrow')}`)
  await judgeNewHistory(repo)
  return repo
}

describe('a revert that takes back a narrower scope', () => {
  test('is not for an agent (68c)', async () => {
    await using repo = await narrowedRepo()
    const agent = claudeSession(repo, 's')
    await agent.willRun('revert')
    const { code, stderr } = await runCommands(repo, 'git revert -n HEAD; git commit -q --no-edit')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('an agent works here: claude') })
    await expect(agent.hasRun('revert')).rejects.toThrow('governance-plane')
    expect(await approveAtTerminal(repo)).toBe(0)
    expect(await runCommands(repo, 'git commit -q --no-edit')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await judgeNewHistory(repo)).toEqual([])
    expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([
      `review governance-loosened ${REGISTRY} in Revert "narrow"`,
    ])
  })

  // Git runs no hook for a clean revert that may stop it.
  test.each([
    ['a clean one', 'git revert --no-edit HEAD >../said'],
    ['one past the hooks (68g)', 'git -c core.hooksPath=/dev/null revert --no-edit HEAD >../said'],
  ])('is found afterwards, and blocks a range beside the ledger: %s', async (_, revert) => {
    await using repo = await narrowedRepo()
    await claudeSession(repo, 's').willRun('revert')
    await playOrThrow(repo, revert)
    expect(await judgeNewHistory(repo)).toEqual([`governance-by-agent ${REGISTRY} in Revert "narrow"`])
    expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([
      `block governance-loosened ${REGISTRY} in Revert "narrow"`,
    ])
  })

  test('is a person’s own where no agent is', async () => {
    await using repo = await narrowedRepo()
    expect(await runCommands(repo, 'git revert --no-edit HEAD >../said')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await judgeNewHistory(repo)).toEqual([])
  })
})

test('the registry of another commit, committed beside an agent past the hooks, blocks a range (68i)', async () => {
  await using repo = await narrowedRepo()
  await claudeSession(repo, 's').willRun('checkout')
  await playOrThrow(repo, `git checkout -q HEAD^ -- ${REGISTRY}; ${bypass('wide', 'Governance: again')}`)
  expect(await judgeNewHistory(repo)).toEqual([`governance-by-agent ${REGISTRY} in wide`])
  expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([`block governance-loosened ${REGISTRY} in wide`])
})
