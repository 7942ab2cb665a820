import { expect, test } from 'vitest'
import { askGate, bindSession, callHook } from '../../rig/agent-gate.ts'
import { unselectedRepo } from '../../rig/selection.ts'

const paths = Array.from({ length: 50_000 }, (_, n) => `src/f${n}.ts`)
const edits = paths.slice(0, 5000).map(it => ({ file_path: it, old_string: 'a', new_string: 'b' }))

test.each([
  { tool: 'mcp__files__write', input: { paths } },
  { tool: 'MultiEdit', input: { file_path: 'src/a.ts', edits } },
])('$tool of thousands of files is denied in time, and ended in time when it ran all the same', async use => {
  await using repo = await unselectedRepo()
  await bindSession(repo)
  const answer = await askGate(repo, 'claude', { ...use, before: 'timeout 10 ' })
  expect(answer).toMatchObject({ kind: 'denied', refusal: { error_type: 'targets-unknown', recoverable: true } })
  expect(answer.refusal['message']).toContain('more than 1000 files')
  expect((await callHook(repo, 'claude', { at: 'after-tool', ...use, before: 'timeout 10 ' })).exit).toBe(0)
})
