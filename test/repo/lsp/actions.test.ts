import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { type LspClient, startLsp } from '../../rig/lsp-client.ts'

const template = fixture(hookedRepo)
const some = (all: readonly unknown[]) => all.length > 0
const none = (all: readonly unknown[]) => all.length === 0

async function actionsFor(editor: LspClient, path: string) {
  await editor.open(path, 'x\n')
  await editor.diagnostics(path, some)
  return editor.actions(path)
}

test('a file outside the scope has three ways out, and one in the scope has none', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const actions = await actionsFor(editor, 'docs/b.md')
  expect(actions.map(it => it.title)).toEqual([
    'Request docs/b.md for the scope of INT-001',
    'Switch to INT-002: docs',
    'Open INT-001 in the registry',
  ])
  expect(actions.map(it => it.kind)).toEqual(['quickfix', 'quickfix', 'quickfix'])
  await editor.open('src/a.ts', 'a\n')
  expect(await editor.actions('src/a.ts')).toEqual([])
})

test('a request for scope waits for a person', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const [request] = await actionsFor(editor, 'docs/b.md')
  await editor.run(request)
  const message = await editor.message(/waits for a person/)
  const { stdout } = await repo.kotef('approve', '--list')
  expect(stdout).toContain('request   INT-001  scope  docs/b.md')
  expect(stdout).toContain(/kotef approve \w{8}/.exec(message)?.[0])
})

test('a switch starts the other intent, and the diagnostic goes', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const actions = await actionsFor(editor, 'docs/b.md')
  await editor.run(actions[1])
  await editor.message(/You started INT-002: docs\. The status of INT-001 did not change\./)
  await editor.diagnostics('docs/b.md', none)
  expect(JSON.parse((await repo.kotef('status', '--json')).stdout)).toMatchObject({ session: { intent: 'INT-002' } })
})

test('an agent that runs the server can not switch the intent', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo, { env: { CLAUDECODE: '1' } })
  const actions = await actionsFor(editor, 'docs/b.md')
  await editor.run(actions[1])
  await editor.message(/CLAUDECODE is set.* can't start an intent; a person must/)
  expect(JSON.parse((await repo.kotef('status', '--json')).stdout)).toMatchObject({ session: { intent: 'INT-001' } })
})

test('the intent opens in the registry, at its line', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const actions = await actionsFor(editor, 'docs/b.md')
  await editor.run(actions[2])
  const lines = (await repo.read('.orchestration/active_intents.yaml')).split('\n')
  expect(editor.shown).toMatchObject([{ selection: { start: { line: lines.findIndex(it => /INT-001/.test(it)) } } }])
  expect(editor.shown[0]?.uri).toMatch(/\/\.orchestration\/active_intents\.yaml$/)
})

test('a command with other arguments changes nothing and is refused', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await actionsFor(editor, 'docs/b.md')
  const [uri] = [`file://${repo.root}/docs/b.md`]
  const calls = [
    { command: 'rm -rf .', arguments: [uri, 'INT-001'] },
    { command: 'kotef.switchIntent', arguments: [uri, '$(touch owned)'] },
    { command: 'kotef.switchIntent', arguments: [uri, { id: 'INT-002' }] },
    { command: 'kotef.requestScope', arguments: ['file:///etc/passwd', 'INT-001'] },
    { command: 'kotef.openIntent', arguments: [uri, '../../etc'] },
    { command: 'kotef.openIntent' },
  ]
  for (const it of calls) expect(await editor.connection.sendRequest('workspace/executeCommand', it)).toBeNull()
  expect(editor.messages.filter(it => it.startsWith('kotef: ')).length).toBe(calls.length)
  expect(await repo.git('status', '--porcelain')).toBe('')
})

test('the status comes at the start and with each change of intent, session and daemon', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  const session = { kind: 'person', agent: null }
  const first = await editor.status(it => it.intent?.id === 'INT-001')
  expect(first).toMatchObject({ intent: { name: 'work', status: 'IN_PROGRESS' }, session, daemon: 'stopped' })
  await repo.kotef('intent', 'start', 'INT-002')
  await editor.status(it => it.intent?.id === 'INT-002')
  await repo.kotef('watch', '--detach')
  await editor.status(it => it.daemon === 'running')
  await repo.kotef('session', 'end')
  await editor.status(it => it.session === null && it.intent === null)
})
