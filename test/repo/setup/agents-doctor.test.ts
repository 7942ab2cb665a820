import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { copyGoverned, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { adoptedRepo } from '../../rig/installation.ts'
import { temporaryRepo, type Repo } from '../../rig/repo.ts'

const NAMES = ['claude', 'codex', 'gemini', 'copilot', 'cursor', 'opencode', 'cline', 'generic']

const template = fixture(async () => {
  const template = await adoptedRepo()
  await runCliOrThrow(template, 'init', '--yes', ...NAMES.flatMap(it => ['--agent', it]))
  return template
})

type Report = {
  readonly checks: readonly { readonly name: string; readonly complaints: readonly Line[] }[]
  readonly notes: readonly Line[]
}
type Line = { readonly what: string; readonly fix: string }

async function examined(repo: Repo): Promise<{ readonly agents: readonly string[]; readonly notes: readonly Line[] }> {
  const { checks, notes } = (await runCli(repo, 'doctor', '--json')).json as Report
  const { complaints } = checks.find(it => it.name === 'agents') ?? { complaints: [] }
  return { agents: complaints.map(it => `${it.what}\n${it.fix}`), notes }
}

describe('doctor', () => {
  test('is content with what init --agent has set up', async () => {
    await using repo = await copyGoverned(template())
    expect((await examined(repo)).agents).toEqual([])
  })

  const damages: readonly (readonly [what: string, commands: string, complaint: string, fix: string])[] = [
    [
      'a hook that is gone',
      `sed -i s/PreToolUse/Other/ .claude/settings.json`,
      "kotef's entries for claude are missing or outdated in",
      'init --agent claude',
    ],
    ['a server that is gone', `echo '{}' >.cursor/mcp.json`, 'in .cursor/mcp.json', 'init --agent cursor'],
    ['all hooks that are gone', `rm .claude/settings.json`, 'in .claude/settings.json', 'init --agent claude'],
    ['another plugin', `sed -i s/agent-hook/hook/ .opencode/plugin/kotef.js`, 'opencode/plugin', 'Rename it'],
    [
      'a hook of Cline that is gone',
      `rm .clinerules/hooks/PreToolUse`,
      'in .clinerules/hooks/PreToolUse',
      'init --agent cline',
    ],
    ['damaged settings', `echo '{' >.gemini/settings.json`, "The agent can't read .gemini/settings.json", 'kotef init'],
    [
      'hooks that are switched off',
      `echo '{"disableAllHooks":true}' >.claude/settings.local.json`,
      '`disableAllHooks` in',
      'Remove it',
    ],
    [
      'hooks that the user has switched off',
      `mkdir -p "$HOME/.gemini"; echo '{ "hooksConfig": { "enabled": false } /* x */ }' >"$HOME/.gemini/settings.json"`,
      '`hooksConfig.enabled` in',
      'Remove it',
    ],
    [
      'hooks that a feature switches off',
      `mkdir -p "$HOME/.codex"; printf '[features]\\nhooks = false\\n' >"$HOME/.codex/config.toml"`,
      '`features.hooks` in',
      'Remove it',
    ],
    [
      'hooks that a person has switched off in Codex',
      `mkdir -p "$HOME/.codex"; state="$PWD/.codex/hooks.json:pre_tool_use:0:0"
       printf '[hooks.state."%s"]\\nenabled = false\\n' "$state" >"$HOME/.codex/config.toml"`,
      '`hooks.state` in',
      'Remove it',
    ],
    [
      'hooks of Copilot that are switched off',
      `mkdir .github/copilot; echo '{"disableAllHooks":true}' >.github/copilot/settings.json`,
      '`disableAllHooks` in',
      'Remove it',
    ],
  ]
  test.each(damages)('names %s, and the fix', async (_, commands, complaint, fix) => {
    await using repo = await copyGoverned(template())
    await mkdir(repo.env()['HOME'] ?? '', { recursive: true })
    await repo.play(commands)
    const { agents } = await examined(repo)
    expect(agents).toEqual([expect.stringContaining(complaint)])
    expect(agents[0]).toContain(fix)
  })

  test('names a kotef that agents do not find', async () => {
    await using repo = await copyGoverned(template())
    await repo.write('.git/kotef/program', '/nowhere\n')
    const { stdout } = await repo.run('sh', ['-c', 'PATH=/usr/bin:/bin; exec "$NODE" "$MAIN" doctor'], {
      env: { NODE: process.execPath, MAIN: join(process.cwd(), 'dist/main.cjs') },
    })
    expect(stdout).toContain(`agents can't find kotef from ${repo.root}: `)
  })

  test('says what can be seen of whether Codex runs the hooks', async () => {
    await using repo = await copyGoverned(template())
    const notes = async () => (await examined(repo)).notes.map(it => it.what).filter(it => it.includes('Codex'))
    const config = join(repo.base, 'home/.codex/config.toml')
    const write = (text: string) => repo.write(join('../home/.codex/config.toml'), text)
    expect(await notes()).toEqual([`Codex does not trust ${repo.root} yet, so it runs none of its hooks`])
    const project = `[projects.${JSON.stringify(repo.root)}]\ntrust_level = "trusted"\n`
    await write(project)
    expect(await notes()).toEqual([expect.stringContaining('Codex does not trust the hooks in')])
    const key = JSON.stringify(`${repo.root}/.codex/hooks.json:pre_tool_use:0:0`)
    await write(`${project}[hooks.state.${key}]\ntrusted_hash = "sha256:0"\n`)
    expect(await notes()).toEqual([expect.stringContaining("kotef can't see whether Codex trusts")])
    await rm(config)
  })

  test('of agents that nobody has configured it says nothing', async () => {
    await using repo = await temporaryRepo({ 'CLAUDE.md': 'mine', '.codex/config.toml': 'a = 1', '.mcp.json': '[' })
    await runCliOrThrow(repo, 'init', '--yes')
    const { agents, notes } = await examined(repo)
    expect({ agents, codex: notes.filter(it => it.what.includes('Codex')) }).toEqual({ agents: [], codex: [] })
  })
})
