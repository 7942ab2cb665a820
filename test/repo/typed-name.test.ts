import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { typedName } from '../../src/world/io/process/typed-name.ts'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { connectMcp } from '../rig/mcp-client.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import { startCommandAtTerminal } from '../rig/terminal.ts'

const repo = fixture(hookedRepo)

test('what a person types depends on whether a shell finds kotef (team P6, solo A13)', async () => {
  const { root } = repo()
  expect(typedName({ PATH: ['/nowhere', packedKotef().bin].join(delimiter) })).toBe('kotef')
  expect(typedName({ PATH: '/nowhere' })).toBe('npx kotef-watch')
  await repo().write('node_modules/.bin/kotef', '')
  expect(typedName({ PATH: join(root, 'node_modules/.bin') })).toBe('npx kotef-watch')
})

test('hints of commands and git hooks can be pasted where kotef is not on the PATH (team P6, solo A13)', async () => {
  const main = join(packedKotef().root, 'dist/main.cjs')
  const env = { PATH: repo().env()['PATH']?.split(delimiter).slice(1).join(delimiter) ?? '' }
  const status = await repo().run(process.execPath, [main, 'intent', 'show', 'INT-9'], { env })
  expect(status.stderr).toContain('`npx kotef-watch intent')
  await repo().write('lib/x.ts', 'changed\n')
  const commit = await repo().run('git', ['commit', '-qam', 'x'], { env })
  expect([commit.code, commit.stderr]).toEqual([1, expect.stringContaining('`npx kotef-watch intent edit')])
  const init = await repo().run(process.execPath, [main, 'init', '--yes'], { env })
  expect(init.stdout.split('\nNext:\n')[1] ?? '').not.toMatch(/^ {2}kotef /m)
})

test('what an agent passes on to its user can be pasted as well', async () => {
  const main = join(packedKotef().root, 'dist/main.cjs')
  const env = { PATH: repo().env()['PATH']?.split(delimiter).slice(1).join(delimiter) ?? '' }
  const input = JSON.stringify({
    session_id: 's',
    cwd: repo().root,
    hook_event_name: 'SessionStart',
    source: 'startup',
  })
  const { stdout } = await repo().run(process.execPath, [main, 'agent-hook', 'claude'], { env, input })
  expect(stdout).toContain('`npx kotef-watch intent add')
})

test('hints of commands, hooks and servers in a worktree without node_modules', async () => {
  const main = join(packedKotef().root, 'dist/main.cjs')
  const env = { PATH: repo().env()['PATH']?.split(delimiter).slice(1).join(delimiter) ?? '' }
  await repo().git('worktree', 'add', '-q', '../beside')
  const beside = join(repo().root, '../beside')
  const run = (words: string[], input = '') =>
    repo().run(process.execPath, [main, ...words], { env, input, cwd: beside })
  expect((await run(['intent', 'show', 'INT-9'])).stderr).toContain('`npx kotef-watch intent')
  const commit = await repo().run('git', ['commit', '--allow-empty', '-m', 'x\n\nIntent-ID: INT-9'], {
    env,
    cwd: beside,
  })
  expect([commit.code, commit.stderr]).toEqual([1, expect.stringContaining('`npx kotef-watch ')])
  const payload = { session_id: 's', cwd: beside, hook_event_name: 'SessionStart', source: 'startup' }
  const hook = await repo().run(process.execPath, [main, 'agent-hook', 'claude'], {
    env,
    input: JSON.stringify(payload),
  })
  expect(hook.stdout).toContain('`npx kotef-watch intent add')
  await using mcp = await connectMcp({ ...repo(), root: beside })
  const { text, value } = await mcp.call('select_active_intent', { intent_id: 'INT-9' })
  expect(text).toContain('`npx kotef-watch ')
  expect(JSON.parse(text)).toEqual(value)
})

test('the first question of init names the command that takes it back as this person types it', async () => {
  const main = join(packedKotef().root, 'dist/main.cjs')
  const { PATH = '' } = repo().env()
  const env = { PATH: PATH.split(delimiter).slice(1).join(delimiter) }
  await using terminal = startCommandAtTerminal(repo(), `exec '${process.execPath}' '${main}' init`, env)
  expect(await terminal.line(/Govern .* with kotef/)).toContain('`npx kotef-watch uninit` takes it back')
})
