import { expect, test } from 'vitest'
import { askGate, bindSession, callHook, writeTool } from '../../rig/agent-gate.ts'
import type { Repo } from '../../rig/repo.ts'
import { unselectedRepo } from '../../rig/selection.ts'

async function enforcing(repo: Repo, enforce: string): Promise<void> {
  await repo.write('.orchestration/config.yaml', `version: 1\nenforce: ${enforce}\n`)
  await repo.git('add', '-A')
  await repo.git('commit', '-qm', 'config', '-m', 'Governance: levels', '--no-verify')
}

test('an agent is warned of a write outside its scope, and goes on', async () => {
  await using repo = await unselectedRepo()
  await enforcing(repo, 'warn')
  await bindSession(repo)
  const { kind, text } = await callHook(repo, 'claude', { at: 'before-tool', ...writeTool('lib/x.ts') })
  expect(kind).toBe('context')
  expect(text).toContain('not authorized to edit lib/x.ts')
  expect((await askGate(repo, 'claude', writeTool('src/a.ts'))).kind).toBe('allowed')
})

test('an agent that is only observed reads nothing of it, before a selection as after it', async () => {
  await using repo = await unselectedRepo()
  await enforcing(repo, 'observe')
  expect(await askGate(repo, 'claude', writeTool('lib/x.ts'))).toMatchObject({ kind: 'allowed', text: '' })
  await bindSession(repo)
  expect(await askGate(repo, 'claude', writeTool('lib/x.ts'))).toMatchObject({ kind: 'allowed', text: '' })
})
