import { expect, test } from 'vitest'
import { GATED_AGENTS, callHook } from '../../rig/agent-gate.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'
import { unselectedRepo } from '../../rig/selection.ts'

const SETTINGS = '.claude/settings.json'
const ours = { hooks: [{ type: 'command', command: 'kotef agent-hook claude' }] }
const whole = JSON.stringify({ hooks: { PreToolUse: [ours] } })

test('settings that still ask kotef before a tool is used may change, by whatever else', async () => {
  await using repo = await unselectedRepo()
  await repo.write(SETTINGS, whole)
  await repo.write('.claude/settings.local.json', '{"permissions":{}}')
  for (const name of [SETTINGS, '.claude/settings.local.json', '.claude/skills/x/SKILL.md']) {
    const change = { at: 'settings-change', file_path: `${repo.root}/${name}` } as const
    expect(await callHook(repo, 'claude', change), name).toMatchObject({ kind: 'allowed', exit: 0 })
  }
})

test.each<[what: string, local: string | null, main: string]>([
  ['hooks are switched off for this person alone', '{"disableAllHooks":true}', whole],
  ['hooks are switched off for all', null, JSON.stringify({ ...JSON.parse(whole), disableAllHooks: true })],
  ['the hook is gone', null, '{}'],
  ['nobody can say', '{"hooks":', whole],
])('where %s, the change is refused', async (_, local, main) => {
  await using repo = await unselectedRepo()
  await repo.write(SETTINGS, main)
  if (local !== null) await repo.write('.claude/settings.local.json', local)
  const file_path = `${repo.root}/.claude/settings${local === null ? '' : '.local'}.json`
  const { kind, refusal } = await callHook(repo, 'claude', { at: 'settings-change', file_path })
  expect({ kind, ...refusal }).toMatchObject({ kind: 'denied', error_type: 'governance-off', recoverable: false })
})

test.each(GATED_AGENTS)('%s: a change of nobody knows what, or of what nobody may read, is refused', async agent => {
  await using repo = await unselectedRepo()
  expect(await callHook(repo, agent, { at: 'settings-change' })).toMatchObject({ kind: 'denied' })
  await repo.write('own.json', '{"command":"kotef agent-hook generic"}')
  await repo.write(SETTINGS, whole)
  const change = { at: 'settings-change', path: 'own.json', file_path: `${repo.root}/own.json` } as const
  expect(await callHook(repo, agent, change)).toMatchObject({ kind: 'allowed' })
  await repo.play('chmod 0 own.json')
  expect(await callHook(repo, agent, { ...change, before: AS_UNPRIVILEGED })).toMatchObject({ kind: 'denied' })
})
