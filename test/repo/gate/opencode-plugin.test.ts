import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { openCodePlugin } from '../../../src/core/agents/opencode-plugin.ts'
import { temporaryRepo } from '../../rig/repo.ts'

type Hook = (input: object, output: object) => Promise<void>
type Plugin = Readonly<
  Record<'tool.execute.before' | 'tool.execute.after' | 'experimental.chat.system.transform', Hook>
> & {
  readonly event: (input: object) => Promise<void>
  readonly dispose: () => Promise<void>
}

const repo = fixture(temporaryRepo)

let plugins = 0

/** The plugin as OpenCode loads it, with a hook that is a line for a shell. */
async function pluginOf(command: string, patienceMs?: number): Promise<Plugin> {
  const path = join(repo().base, `plugin-${(plugins += 1)}.mjs`)
  await writeFile(path, openCodePlugin(command, patienceMs))
  const { Kotef } = await import(pathToFileURL(path).href)
  const parents: Record<string, string> = { child: 's', grandchild: 'child' }
  const get = async ({ path: { id } }: { path: { id: string } }) => ({ data: { id, parentID: parents[id] } })
  return Kotef({ client: { session: { get } }, directory: repo().root, worktree: repo().root })
}

const call = { tool: 'write', sessionID: 's', callID: 'c' }
const args = { filePath: 'a', content: "it's $HOME `x`" }
const before = async (command: string, patienceMs?: number) =>
  (await pluginOf(command, patienceMs))['tool.execute.before'](call, { args })

describe('before a tool is used', () => {
  test('what the hook allows is allowed', async () => {
    await before('echo "{}"')
  })

  test('what the hook denies is refused, in its words', async () => {
    await expect(before(`echo '{"deny":"Scope Violation: \\"a\\""}'`)).rejects.toThrow('Scope Violation: "a"')
  })

  test.each([
    ['says nothing', 'true'],
    ['says what is no JSON', 'echo yes'],
    ['says what is no object', 'echo "[]"'],
    ['says that all is well, and fails', 'echo "{}"; exit 1'],
    ['denies at 2', 'echo "{}"; exit 2'],
    ['dies', 'kill -9 $$'],
    ['is not there', './none-such agent-hook opencode'],
    ['does not read what it is told', 'exec <&-; exit 1'],
  ])('trap: a hook that %s refuses', async (_, command) => {
    await expect(before(command)).rejects.toThrow('orchestration unavailable')
  })

  test('trap: a hook that takes too long refuses', async () => {
    await expect(before('read -r x; exec cat /dev/zero > /dev/null', 200)).rejects.toThrow('takes too long')
  })

  test('the hook is told what is to be done, as it is, where the repository begins', async () => {
    await before(`cat > told.json; pwd > place; echo '{}'`)
    expect(JSON.parse(await repo().read('told.json'))).toEqual({
      ...{ event: 'before-tool', session: 's', cwd: repo().root, tool: 'write', args, call: 'c' },
    })
    expect(await repo().read('place')).toBe(`${repo().root}\n`)
  })

  test('an agent below the main one acts for the main one', async () => {
    const plugin = await pluginOf(`cat > told.json; echo '{}'`)
    await plugin['tool.execute.before']({ ...call, sessionID: 'grandchild' }, { args })
    expect(JSON.parse(await repo().read('told.json'))).toMatchObject({ session: 's' })
  })
})

describe('after a tool was used', () => {
  test('the model reads what the hook says below what the tool says', async () => {
    const plugin = await pluginOf(`echo '{"context":"Out of scope."}'`)
    const [own, foreign] = [{ output: 'done' }, { content: [] as object[] }]
    await plugin['tool.execute.after']({ ...call, args }, own)
    await plugin['tool.execute.after']({ ...call, args }, foreign)
    expect(own.output).toBe('done\n\nOut of scope.')
    expect(foreign.content).toEqual([{ type: 'text', text: 'Out of scope.' }])
  })

  test('the hook reads how a command ended', async () => {
    const plugin = await pluginOf(`cat > told.json; echo '{}'`)
    await plugin['tool.execute.after']({ ...call, args }, { output: 'x'.repeat(20_000), metadata: { exit: 2 } })
    expect(JSON.parse(await repo().read('told.json'))).toMatchObject({ result: 'x'.repeat(16_000), exit: 2 })
  })

  test('a hook that dies is told of, and the tool keeps its result', async () => {
    const own = { output: 'done' }
    await (await pluginOf('false'))['tool.execute.after']({ ...call, args }, own)
    expect(own.output).toMatch(/^done\n\norchestration unavailable/)
  })
})

describe('before the model answers', () => {
  const transform = async (command: string, input: object) => {
    const system: string[] = ['first']
    await (await pluginOf(command))['experimental.chat.system.transform'](input, { system })
    return system
  }

  test('the context is put below its instructions', async () => {
    const model = { id: 'm', providerID: 'maker' }
    expect(await transform(`cat > told.json; echo '{"context":"INT-001"}'`, { sessionID: 's', model })).toEqual([
      'first',
      'INT-001',
    ])
    expect(JSON.parse(await repo().read('told.json'))).toMatchObject({ event: 'prompt', model: 'maker/m' })
  })

  test('a hook that dies is told of', async () => {
    expect((await transform('false', { sessionID: 's' }))[1]).toMatch(/^orchestration unavailable/)
  })

  test('what belongs to no session is none of its business', async () => {
    expect(await transform(`echo '{"context":"INT-001"}'`, {})).toEqual(['first'])
  })
})

test('the end of a turn and of a session is told of the main agent alone', async () => {
  const plugin = await pluginOf(`cat >> told.txt; echo >> told.txt; echo '{}'`)
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } })
  await plugin.event({ event: { type: 'session.idle', properties: { sessionID: 'child' } } })
  await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 's' } } } })
  await plugin.event({ event: { type: 'file.edited', properties: { file: 'a' } } })
  const reported = (await repo().read('told.txt'))
    .trim()
    .split('\n')
    .map(it => JSON.parse(it))
  expect(reported.map(it => [it.event, it.session])).toEqual([
    ['stop', 's'],
    ['session-end', 's'],
  ])
})

test('when OpenCode ends, so does every session of which the hook was told, once', async () => {
  const plugin = await pluginOf(`cat >> ended.jsonl; echo >> ended.jsonl; echo '{}'`)
  await plugin['tool.execute.before']({ ...call, sessionID: 'child' }, { args })
  await plugin['tool.execute.before']({ ...call, sessionID: 'gone' }, { args })
  await plugin.event({ event: { type: 'session.deleted', properties: { info: { id: 'gone' } } } })
  await plugin.dispose()
  const reported = (await repo().read('ended.jsonl'))
    .trim()
    .split('\n')
    .map(it => JSON.parse(it) as { event: string; session: string })
  expect(reported.map(it => `${it.event} ${it.session}`)).toEqual([
    ...['before-tool s', 'before-tool gone', 'session-end gone', 'session-end s'],
  ])
})
