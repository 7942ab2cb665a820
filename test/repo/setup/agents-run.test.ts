import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { adoptedRepo } from '../../rig/installation.ts'
import type { Repo } from '../../rig/repo.ts'
import type { ProgramResult } from '../../rig/run-program.ts'

const NAMES = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'cline'] as const
type Name = (typeof NAMES)[number]

const template = fixture(async () => {
  const template = await adoptedRepo()
  await runCliOrThrow(template, 'init', '--yes', ...[...NAMES, 'opencode'].flatMap(it => ['--agent', it]))
  await template.git('add', '--all')
  await template.run('git', ['commit', '-qm', 'agents', '-m', 'Governance: agents'])
  return template
})

// A kotef that says how it was called, and ends as it is told to.
const FAKE = `let input = ''
process.stdin.on('data', it => (input += it)).on('end', () => {
  process.stdout.write(JSON.stringify([process.argv.slice(2), input, WHO]))
  if (process.env.FAKE === 'killed') process.kill(process.pid, 'SIGKILL')
  else process.exitCode = Number(process.env.FAKE ?? 0)
})
`

async function withFake(): Promise<Repo> {
  const repo = await copyGoverned(template())
  await repo.write('.git/kotef/program', `${join(repo.base, 'fake.mjs')}\n`)
  await repo.write('../fake.mjs', FAKE.replace('WHO', '"program"'))
  return repo
}

type Hooks = { readonly hooks: Readonly<Record<string, readonly Hook[]>> }
type Hook = { readonly command?: string; readonly bash?: string; readonly hooks?: readonly Hook[] }

// By the place that each agent's own documentation names.
const PLACES: Readonly<Record<Exclude<Name, 'cline'>, readonly [file: string, gate: string, reported: string]>> = {
  claude: ['.claude/settings.json', 'PreToolUse', 'Stop'],
  codex: ['.codex/hooks.json', 'PreToolUse', 'Stop'],
  gemini: ['.gemini/settings.json', 'BeforeTool', 'AfterAgent'],
  copilot: ['.github/hooks/kotef.json', 'preToolUse', 'agentStop'],
  cursor: ['.cursor/hooks.json', 'preToolUse', 'stop'],
}

async function commandOf(repo: Repo, name: Name, which: 'gate' | 'told'): Promise<string> {
  if (name === 'cline') return `"${repo.root}/.clinerules/hooks/${which === 'gate' ? 'PreToolUse' : 'TaskCancel'}"`
  const [file, gate, reported] = PLACES[name]
  const { hooks } = JSON.parse(await repo.read(file)) as Hooks
  const found = hooks[which === 'gate' ? gate : reported]?.[0]
  const inner = found?.hooks?.[0] ?? found
  return inner?.bash ?? inner?.command ?? ''
}

type Around = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> }

async function called(repo: Repo, name: Name, which: 'gate' | 'told', around: Around = {}): Promise<ProgramResult> {
  return repo.run('sh', ['-c', await commandOf(repo, name, which)], { input: '{"a":1}', ...around })
}

const said = (name: string, who = 'program') => JSON.stringify([['agent-hook', name], '{"a":1}', who])

describe.each(NAMES)('the hook of %s', name => {
  test('reaches kotef with words and payload, from the top, from below and from a linked worktree', async () => {
    await using repo = await withFake()
    await repo.git('worktree', 'add', '-q', '--detach', join(repo.base, 'linked tree'))
    await mkdir(join(repo.root, 'lib/deep'), { recursive: true })
    for (const cwd of [repo.root, join(repo.root, 'lib/deep'), join(repo.base, 'linked tree')])
      expect(await called(repo, name, 'gate', { cwd }), cwd).toEqual({ code: 0, stdout: said(name), stderr: '' })
  })

  test.each([
    ['says no', '2', 2, 1],
    ['fails', '1', 2, 1],
    ['breaks', '70', 2, 1],
    ['is killed', 'killed', 2, 1],
  ])('stops the agent before a tool, and only there, when kotef %s', async (_, fake, gate, reported) => {
    await using repo = await withFake()
    const env = { FAKE: fake }
    expect((await called(repo, name, 'gate', { env })).code).toBe(gate)
    expect((await called(repo, name, 'told', { env })).code).toBe(reported)
  })

  test('says what to do in a clone that nobody has set up, and stops the agent if the config says so', async () => {
    await using repo = await copyGoverned(template())
    await rm(join(repo.root, '.git/kotef'), { recursive: true })
    const stderr = 'kotef is not set up in this clone. Run: npx kotef-watch init\n'
    const stdout = { cursor: '{"permission":"allow"}\n', cline: '{}\n' }[name as string] ?? ''
    expect(await called(repo, name, 'gate')).toEqual({ code: 0, stdout, stderr })
    expect(await called(repo, name, 'told')).toEqual({ code: 1, stdout: '', stderr })
    await repo.write('.orchestration/config.yaml', 'unset_clones: block\n')
    expect(await called(repo, name, 'gate')).toMatchObject({ code: 2, stderr })
  })
})

test('a kotef that hangs is ended before the agent goes on without it', async () => {
  await using repo = await withFake()
  await repo.write('../fake.mjs', 'setInterval(() => {}, 1000)')
  // The real one, which waits less: the words before the program are its own.
  const { stdout } = await repo.run('sh', ['-c', 'command -v timeout'])
  const quick = `#!/bin/sh\n[ "$1 $2 $3" = '-k 5 50' ] || exit 0\nshift 3\nexec ${stdout.trim()} -k 5 0.2 "$@"\n`
  await repo.write('../bin/timeout', quick, 0o755)
  const env = { PATH: `${join(repo.base, 'bin')}:${repo.env()['PATH']}` }
  expect(await called(repo, 'codex', 'gate', { env })).toEqual({ code: 2, stdout: '', stderr: '' })
  expect((await called(repo, 'codex', 'told', { env })).code).toBe(1)
})

describe('kotef is found', () => {
  test('in node_modules before anywhere else, also above', async () => {
    await using repo = await withFake()
    await repo.write('lib/node_modules/kotef-watch/dist/main.cjs', FAKE.replace('WHO', '"below"'))
    await repo.write('node_modules/kotef-watch/dist/main.cjs', FAKE.replace('WHO', '"above"'))
    expect((await called(repo, 'codex', 'gate')).stdout).toBe(said('codex', 'above'))
    const below = { cwd: join(repo.root, 'lib') }
    expect((await called(repo, 'codex', 'gate', below)).stdout).toBe(said('codex', 'below'))
  })

  test('of a Claude that went elsewhere, from the project that it began in', async () => {
    await using repo = await withFake()
    const elsewhere = { cwd: repo.base, env: { CLAUDE_PROJECT_DIR: repo.root } }
    expect((await called(repo, 'claude', 'gate', elsewhere)).stdout).toBe(said('claude'))
  })

  test('where no node is on the PATH, and whatever is to be loaded into each node', async () => {
    await using repo = await withFake()
    await mkdir(join(repo.base, 'bin'))
    for (const it of ['git', 'sh']) {
      const { stdout } = await repo.run('sh', ['-c', `command -v ${it}`])
      await symlink(stdout.trim(), join(repo.base, 'bin', it))
    }
    const env = { PATH: join(repo.base, 'bin'), NODE_OPTIONS: '--require=/nowhere.js' }
    expect(await called(repo, 'gemini', 'gate', { env })).toMatchObject({ code: 0, stdout: said('gemini') })
  })

  test('on the PATH, when it is nowhere else', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/kotef/program', '/nowhere/main.cjs\n')
    const { code, stdout } = await repo.run('sh', ['.git/kotef/agent', '--version'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })
})

describe('the MCP server of each configuration starts from the words that stand there:', () => {
  const places: readonly (readonly [name: string, file: string, words: (text: string) => readonly string[]])[] = [
    ['claude and copilot', '.mcp.json', text => wordsOf(jsonAt(text, 'mcpServers', 'kotef'))],
    ['gemini', '.gemini/settings.json', text => wordsOf(jsonAt(text, 'mcpServers', 'kotef'))],
    ['vscode', '.vscode/mcp.json', text => wordsOf(jsonAt(text, 'servers', 'kotef'))],
    ['cursor', '.cursor/mcp.json', text => wordsOf(jsonAt(text, 'mcpServers', 'kotef'))],
    ['opencode', 'opencode.json', text => (jsonAt(text, 'mcp', 'kotef') as { command: string[] }).command],
    [
      'codex',
      '.codex/config.toml',
      text => [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(it => JSON.parse(it[0]) as string),
    ],
  ]
  test.each(places)('%s', async (_, file, words) => {
    await using repo = await copyGoverned(template())
    const [command = '', ...args] = words(await repo.read(file))
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
    const { stdout } = await repo.run(command, args, { input, cwd: join(repo.root, 'lib') })
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ id: 1, result: { serverInfo: { name: 'kotef' } } })
  })
})

function jsonAt(text: string, ...way: readonly string[]): unknown {
  return way.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], JSON.parse(text))
}

function wordsOf(server: unknown): readonly string[] {
  const { command, args } = server as { command: string; args: string[] }
  return [command, ...args]
}
