import { expect, test } from 'vitest'
import { type AnswerChannel, takeAnswers, deliverAnswer } from '../../../src/world/approvals/answer-inbox.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const reported = async (workspace: Workspace, session: string, channel: AnswerChannel) =>
  (await takeAnswers(workspace, session, channel)).map(it => it.request)

const leave = (workspace: Workspace, request: string, more: { session?: string; at?: string } = {}) =>
  deliverAnswer(workspace, {
    ...{ request, session: 's', intent: 'INT-001', kind: 'scope', wants: ['lib/**'], verdict: 'granted' },
    ...{ reason: null, at: '2026-01-01T00:00:00.000Z' },
    ...more,
  })

test('a session is told of each answer once by each channel, oldest first, and of no other session', async () => {
  await using repo = await temporaryRepo()
  const workspace = await openWorkspace(repo.root)
  expect(await reported(workspace, 's', 'hook')).toEqual([])
  await leave(workspace, 'later', { at: '2026-01-02T00:00:00.000Z' })
  await leave(workspace, 'first')
  await leave(workspace, 'others', { session: 't' })
  await repo.write('.git/kotef/answers/hook/1-x.json', '{')
  expect(await reported(workspace, 's', 'hook')).toEqual(['first', 'later'])
  expect(await reported(workspace, 's', 'hook')).toEqual([])
  expect(await reported(workspace, 's', 'mcp')).toEqual(['first', 'later'])
  expect(await reported(workspace, 't', 'mcp')).toEqual(['others'])
})

test('two that tell at once tell of an answer once, and no more than 100 are kept', async () => {
  await using repo = await temporaryRepo()
  const workspace = await openWorkspace(repo.root)
  for (let n = 0; n < 120; n++) await leave(workspace, String(n), { at: new Date(Date.UTC(2026, 0, 1, 0, n)).toJSON() })
  const both = await Promise.all([reported(workspace, 's', 'mcp'), reported(workspace, 's', 'mcp')])
  const all = both.flat().map(Number)
  expect(all.length).toBe(new Set(all).size)
  expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 101 }, (_, n) => n + 19))
})
