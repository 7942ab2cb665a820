import { expect, test } from 'vitest'
import { findGovernedWorktree } from '../../../src/shells/agent-hook/governed-worktree.ts'
import { judgeRecordedWrites } from '../../../src/shells/agent-hook/judge-recorded-writes.ts'
import { type HookAnswer, bashTool, bindSession, useTool } from '../../rig/agent-gate.ts'
import { unselectedRepo } from '../../rig/selection.ts'
import { ledgerRecords } from '../../rig/agent-hooks.ts'

test('what was recorded as a call began is not of the call, by either clock', async () => {
  await using repo = await unselectedRepo()
  await repo.write('.orchestration/config.yaml', 'opaque_commands: allow-and-watch\n')
  await bindSession(repo)
  const command = 'make docs'
  const does = (): Promise<unknown> => repo.write('docs/a', 'x\n')
  const { after }: { after: HookAnswer } = await useTool(repo, 'claude', { ...bashTool(command), does })
  expect(after.refusal).toMatchObject({ error_type: 'scope-violation', path: 'docs/a' })
  const written = (await ledgerRecords(repo)).find(it => it.files.some(({ path }) => path === 'docs/a'))
  const recordedAt = Date.parse(written?.timestamp ?? '')
  const worktree = await findGovernedWorktree([repo.root])
  if (!worktree) throw new Error('nobody governs the repository')
  const judge = async (openedAt: number): Promise<number> => {
    const window = { ...WINDOW, openedAt, closedAt: null, host: worktree.clock.host }
    return (await judgeRecordedWrites(worktree, { session: 's', window })).length
  }
  // A file's time may be up to a tick of the kernel behind that of the record before it.
  expect([await judge(recordedAt - 9), await judge(recordedAt - 11)]).toEqual([0, 1])
})

const WINDOW = { session: 's', agent: 'claude', model: null, kind: 'exec', path: null, call: 'c' } as const
