import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { startLsp } from '../../rig/lsp-client.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)
const some = (all: readonly unknown[]) => all.length > 0
const none = (all: readonly unknown[]) => all.length === 0
const REGISTRY = '.orchestration/active_intents.yaml'

test('a damaged registry is reported once, the last policy counts until then, and the repaired one after', async () => {
  await using repo = await copyGoverned(template())
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  const registry = await repo.read(REGISTRY)
  await repo.write(REGISTRY, 'active_intents: [')
  await editor.message(/active_intents\.yaml/)
  await editor.open('lib/y.ts', 'y\n')
  await editor.diagnostics('lib/y.ts', some)
  await repo.write('.intentignore', 'src/**\n')
  await repo.write(REGISTRY, registry)
  await editor.open('src/a.ts', 'a\n')
  await editor.diagnostics('src/a.ts', some)
  expect(editor.messages.filter(it => it.includes('active_intents.yaml')).length).toBe(1)
})

test('a server that starts with a damaged registry goes on when it is repaired', async () => {
  await using repo = await copyGoverned(template())
  const registry = await repo.read(REGISTRY)
  await repo.write(REGISTRY, 'nonsense: [')
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'x\n')
  await editor.message(/active_intents\.yaml/)
  expect(await editor.hover('lib/x.ts', 1)).toBeNull()
  await repo.write(REGISTRY, registry)
  await editor.diagnostics('lib/x.ts', some)
})

test('in a repository without kotef the server is silent, until kotef is there', async () => {
  await using repo = await temporaryRepo({ 'src/a.ts': 'a\n', 'lib/x.ts': 'x\n' })
  await using editor = await startLsp(repo)
  await editor.open('lib/x.ts', 'x\n')
  expect([await editor.hover('lib/x.ts', 1), await editor.lenses('lib/x.ts')]).toEqual([null, []])
  expect([editor.published('lib/x.ts'), editor.messages]).toEqual([0, []])
  await repo.kotef('init', '--yes', '--hooks', 'git')
  await repo.kotef('intent', 'add', '--id', 'INT-001', '--name', 'work', '--scope', 'src/**')
  await repo.kotef('intent', 'start', 'INT-001')
  await editor.diagnostics('lib/x.ts', some)
})

test('a repository that is gone clears what was shown, others are still served, and it may come back', async () => {
  await using repo = await copyGoverned(template())
  await using other = await copyGoverned(template())
  await using editor = await startLsp(repo, { folders: [repo.root, other.root] })
  await editor.open('lib/x.ts', 'x\n')
  await editor.diagnostics('lib/x.ts', some)
  await repo.run('mv', [repo.root, `${repo.base}/kept`], { cwd: '/' })
  await editor.diagnostics('lib/x.ts', none)
  await editor.status(it => it.session === null && it.root.includes(repo.root))
  expect(await editor.hover('lib/x.ts', 1)).toBeNull()
  await editor.open(`${other.root}/lib/x.ts`, 'x\n')
  await editor.diagnostics(`${other.root}/lib/x.ts`, some)
  await repo.run('mv', [`${repo.base}/kept`, repo.root], { cwd: '/' })
  await editor.change('lib/x.ts', 'x more\n')
  await editor.diagnostics('lib/x.ts', some)
  await repo.kotef('session', 'end')
  await editor.diagnostics('lib/x.ts', none)
})

test('the server ends with its client: 0 after a shutdown, 1 without one', async () => {
  await using repo = await copyGoverned(template())
  const codes: (number | null)[] = []
  for (const isShutDown of [true, false]) {
    const editor = await startLsp(repo)
    if (isShutDown) await editor.connection.sendRequest('shutdown')
    await editor[Symbol.asyncDispose]()
    codes.push(await editor.ended)
  }
  expect(codes).toEqual([0, 1])
})
