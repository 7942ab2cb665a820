import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { GOVERNANCE_GLOBS } from '../../../src/core/intents/config.ts'
import { globList } from '../../../src/core/base/globs.ts'
import { worktreeFiles } from '../../rig/worktree-files.ts'
import { runCli } from '../../rig/command-line.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { adoptedRepo, freshRepo } from '../../rig/installation.ts'
import { copyRepo } from '../../rig/repo.ts'

const NAMES = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'opencode', 'cline', 'generic']
const ALL = NAMES.flatMap(it => ['--agent', it])

const fresh = fixture(freshRepo)
const adopted = fixture(async () => {
  const repo = await adoptedRepo()
  await runCliOrThrow(repo, 'init', '--yes')
  return repo
})

const group = (command: string) => ({ hooks: [{ type: 'command', command }] })
const pretty = (value: unknown, unit: number | string = 2) => `${JSON.stringify(value, null, unit)}\n`

// What other people have in the files of each agent: in their own order, and laid out in their own way.
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    '.claude/settings.json': pretty(
      { z: 1, hooks: { PreToolUse: [group('mine')], Notification: [group('ding')] }, a: [] },
      4,
    ),
    '.claude/settings.local.json': '{}',
    '.mcp.json': '{"mcpServers":{"mine":{"command":"x"}}}',
    'CLAUDE.md': '# Mine\r\n\r\nwithout a line end at the end',
  },
  codex: {
    '.codex/hooks.json': pretty({ description: 'mine', hooks: { Stop: [group('mine')] } }, '\t'),
    '.codex/config.toml': '# mine\nmodel = "x" # y\n\n[mcp_servers.mine]\ncommand = "z"',
    'AGENTS.md': '# Mine\n',
  },
  gemini: {
    '.gemini/settings.json':
      '{ "ui": { "theme": "x" },\n  "hooks": {"BeforeTool": [ {"matcher": "a", "hooks": []} ]} }',
    'GEMINI.md': 'one line',
  },
  copilot: {
    '.github/hooks/mine.json': '{"version":1}',
    '.github/hooks/kotef.json': '{"version":1,"hooks":{}}\n',
    '.vscode/mcp.json': '{\n\t"inputs": [],\n\t"servers": {\n\t\t"mine": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n',
  },
  cursor: {
    '.cursor/hooks.json': pretty({ version: 1, hooks: { preToolUse: [{ command: 'mine' }], afterFileEdit: [] } }),
    '.cursor/mcp.json': '{"mcpServers": {}}\n',
  },
  opencode: {
    'opencode.json': pretty({ $schema: 'x', mcp: { mine: { type: 'local' } } }),
    '.opencode/plugin/mine.js': '',
  },
  cline: { '.clinerules/mine.md': 'x', '.clinerules/hooks/Mine': '#!/bin/sh\n' },
  generic: { 'AGENTS.md': '\n\n# Mine\n\n\n' },
}

describe('init --agent', () => {
  test.each(NAMES)('%s: a second time changes no byte, and uninit leaves nothing of it', async name => {
    await using repo = copyRepo(fresh())
    const before = await worktreeFiles(repo)
    const text = await runCliOrThrow(repo, 'init', '--yes', '--agent', name)
    expect(text).toContain(`Configured ${name}:\n  `)
    const once = await worktreeFiles(repo)
    expect(Object.keys(once).length).toBeGreaterThan(Object.keys(before).length)
    expect(await runCliOrThrow(repo, 'init', '--yes', '--agent', name)).toContain(`Configured ${name}.`)
    expect(await worktreeFiles(repo)).toEqual(once)
    await runCliOrThrow(repo, 'uninit')
    expect(await worktreeFiles(repo)).toEqual(before)
  })

  test.each(NAMES)('%s: what others have stays, and uninit gives back every byte', async name => {
    await using repo = copyRepo(fresh())
    for (const [path, text] of Object.entries(FOREIGN[name] ?? {})) await repo.write(path, text)
    const before = await worktreeFiles(repo)
    await runCliOrThrow(repo, 'init', '--yes', '--agent', name)
    const once = await worktreeFiles(repo)
    for (const [path, text] of Object.entries(FOREIGN[name] ?? {}))
      for (const line of text.matchAll(/mine/gi)) expect(once[path]).toContain(line[0])
    await runCliOrThrow(repo, 'init', '--yes', '--agent', name)
    expect(await worktreeFiles(repo)).toEqual(once)
    await runCliOrThrow(repo, 'uninit')
    expect(await worktreeFiles(repo)).toEqual(before)
  })

  test('all agents at once are as each after the other', async () => {
    await using repo = copyRepo(fresh())
    await using other = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes', ...ALL)
    for (const name of NAMES) await runCliOrThrow(other, 'init', '--yes', '--agent', name)
    expect(await worktreeFiles(other)).toEqual(await worktreeFiles(repo))
  })

  test('what is changed in the files since is kept by uninit', async () => {
    await using repo = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude')
    const settings = JSON.parse(await repo.read('.claude/settings.json')) as { hooks: Record<string, unknown[]> }
    settings.hooks['PreToolUse']?.unshift(group('mine'))
    await repo.write('.claude/settings.json', pretty({ ...settings, model: 'x' }))
    await repo.write('CLAUDE.md', `# Above\n\n${await repo.read('CLAUDE.md')}\nBelow\n`)
    await runCliOrThrow(repo, 'uninit')
    expect(JSON.parse(await repo.read('.claude/settings.json'))).toEqual({
      hooks: { PreToolUse: [group('mine')] },
      model: 'x',
    })
    expect(await repo.read('CLAUDE.md')).toBe('# Above\n\nBelow\n')
  })

  test('an older call of kotef is replaced', async () => {
    await using repo = copyRepo(fresh())
    const old = {
      hooks: { PreToolUse: [{ matcher: 'Write', ...group('npx kotef agent-hook claude') }], Stop: [group('mine')] },
    }
    await repo.write('.claude/settings.json', pretty(old))
    await repo.write('.mcp.json', pretty({ mcpServers: { kotef: { command: 'npx', args: ['kotef', 'mcp'] } } }))
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude')
    expect(await repo.read('.claude/settings.json')).not.toContain('npx kotef agent-hook')
    expect(await repo.read('.mcp.json')).not.toContain('npx')
    await runCliOrThrow(repo, 'uninit')
    expect(JSON.parse(await repo.read('.claude/settings.json'))).toEqual({ hooks: { Stop: [group('mine')] } })
  })

  test('a file keeps its permissions, and a script can be run by everybody', async () => {
    await using repo = copyRepo(fresh())
    await repo.write('.claude/settings.json', '{"a":1}', 0o600)
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude', '--agent', 'cline')
    const tree = await worktreeFiles(repo)
    expect(tree['.claude/settings.json']).toMatch(/^600 /)
    expect(tree['.clinerules/hooks/PreToolUse']).toMatch(/^755 #!\/bin\/sh\n/)
  })

  test('an agent that is not known is refused by name, and nothing is changed', async () => {
    await using repo = copyRepo(fresh())
    const { failure } = await runCli(repo, 'init', '--yes', '--agent', 'claude', '--agent', 'aider')
    expect(failure).toMatchObject({ code: 'usage', message: expect.stringContaining('"aider"') })
    expect(failure?.hint).toContain('claude, codex, gemini, copilot, cursor, opencode, cline, generic')
    expect(await repo.git('status', '--porcelain')).toBe('')
  })

  test('says where a hook can not stop its agent, and what is left to do', async () => {
    await using repo = copyRepo(fresh())
    const text = await runCliOrThrow(repo, 'init', '--yes', ...ALL)
    expect(text).toContain('trust them with `/hooks`')
    expect(text).toContain('Put this into its `cline_mcp_settings.json`: {"mcpServers":{"kotef":')
  })

  test('names the agents that would go on without their hook where nothing ends it', async () => {
    await using repo = copyRepo(fresh())
    const reported = async (PATH: string) =>
      (await runCli({ root: repo.root, env: () => ({ PATH }) }, 'init', '--yes', ...ALL)).text
    const line = 'There is no `timeout` command here: if a hook takes over a minute, codex, gemini, copilot, cline will'
    expect(await reported(repo.base)).toContain(line)
    await repo.write('../timeout', '')
    expect(await reported(`/nowhere:${repo.base}`)).not.toContain('timeout')
  })

  test('in a repository that has adopted kotef the next step is a commit with a reason', async () => {
    await using repo = await copyGoverned(adopted())
    await repo.write('.git/info/exclude', '.vscode/\n')
    const text = await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude', '--agent', 'copilot')
    const [, step = ''] = /^ {2}(git add .*)$/m.exec(text) ?? []
    expect(step).toContain('git add .claude/settings.json .mcp.json .github/hooks/kotef.json CLAUDE.md AGENTS.md &&')
    expect(await repo.run('sh', ['-c', `git add -A && git commit -qm w`])).toMatchObject({ code: 1 })
    await repo.git('reset', '--quiet')
    expect(await repo.run('sh', ['-c', step])).toMatchObject({ code: 0 })
    const committed = ['.claude/settings.json', '.github/hooks/kotef.json', '.mcp.json', 'AGENTS.md', 'CLAUDE.md']
    expect((await repo.git('show', '--format=', '--name-only')).split('\n').slice(0, -1)).toEqual(committed)
  })
})

test('what init writes for agents while a daemon watches is not taken for anybody else', async () => {
  await using repo = await governedRepo()
  await using _ = await startWatching(repo)
  await runCliOrThrow(repo, 'init', '--yes', ...ALL)
  await repo.write('src/after.ts', 'x\n')
  await runCliOrThrow(repo, 'flush')
  expect((await flushedWrites(repo)).map(it => it.files.map(file => file.path)).flat()).toEqual(['src/after.ts'])
})

describe('without --agent', () => {
  test('names the agents of which there are traces, until they are configured', async () => {
    await using repo = copyRepo(fresh())
    await repo.play('mkdir .cursor; echo x >CLAUDE.md')
    const offer = 'Found claude, cursor. Configure them: `kotef init --agent claude --agent cursor`'
    expect(await runCliOrThrow(repo, 'init', '--yes')).toContain(offer)
    expect(await repo.read('CLAUDE.md')).toBe('x\n')
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude')
    expect(await runCliOrThrow(repo, 'init', '--yes')).toContain('Found cursor. Configure it: ')
    await rm(join(repo.root, '.cursor'), { recursive: true })
    expect(await runCliOrThrow(repo, 'init', '--yes')).not.toContain('traces')
  })
})

describe('what tells an agent of kotef is of the governance plane', () => {
  test('each file that is written is governed by default', async () => {
    await using repo = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes')
    const before = await readFile(join(repo.root, '.orchestration/config.yaml'), 'utf8')
    const said = (await runCli(repo, 'init', '--yes', '--json', ...ALL)).json as { agents: { changed: string[] } }
    expect(said.agents.changed).toHaveLength(21)
    expect(said.agents.changed).not.toContain('.orchestration/config.yaml')
    const isGoverned = globList(GOVERNANCE_GLOBS)
    expect(said.agents.changed.filter(it => isGoverned(it)?.kind !== 'in')).toEqual([])
    expect(await repo.read('.orchestration/config.yaml')).toBe(before)
  })

  test('a list of the repository itself is made longer, and its comments stay', async () => {
    await using repo = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes')
    const ours = '# ours\ngovernance:\n  # mine\n  - .orchestration/**\n  - CLAUDE.md # too\n'
    await repo.write('.orchestration/config.yaml', ours)
    const text = await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude')
    expect(text).toContain('  .orchestration/config.yaml\n')
    const longer = `${ours}  - .claude/settings.json\n  - .mcp.json\n`
    expect(await repo.read('.orchestration/config.yaml')).toBe(longer)
  })
})
