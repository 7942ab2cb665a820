import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { worktreeFiles } from '../../rig/worktree-files.ts'
import { runCli } from '../../rig/command-line.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import { folderContents, freshRepo } from '../../rig/installation.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'
import { copyRepo } from '../../rig/repo.ts'

const fresh = fixture(freshRepo)

describe('what can not be changed without loss is refused, and nothing is half done:', () => {
  const refusals: readonly (readonly [what: string, prepare: string, agent: string, message: string])[] = [
    ['damaged JSON', 'mkdir .claude; echo "{" >.claude/settings.json', 'claude', '.claude/settings.json'],
    ['JSON that is a list', 'echo "[]" >.mcp.json', 'claude', '.mcp.json'],
    [
      'hooks of another shape',
      `mkdir .cursor; echo '{"hooks":[]}' >.cursor/hooks.json`,
      'cursor',
      'hooks is not an object',
    ],
    [
      'bytes that are no text',
      `mkdir .claude; printf '{"a":"\\377"}' >.claude/settings.json`,
      'claude',
      'is not UTF-8',
    ],
    ['damaged TOML', 'mkdir .codex; echo "[a" >.codex/config.toml', 'codex', '.codex/config.toml'],
    [
      'a symbolic link',
      'mkdir ../real; echo "{}" >../real/m; ln -s ../real/m .mcp.json',
      'claude',
      '.mcp.json is a symbolic link',
    ],
    ['a folder that is a link', 'mkdir ../real; ln -s ../real .claude', 'claude', '.claude is a symbolic link'],
    ['a file in place of a folder', 'echo rules >.clinerules', 'cline', '.clinerules is not a folder'],
    ['a folder in place of a file', 'mkdir -p opencode.json', 'opencode', 'opencode.json is a folder'],
    [
      "somebody else's plugin",
      'mkdir -p .opencode/plugin; echo x >.opencode/plugin/kotef.js',
      'opencode',
      "is not kotef's",
    ],
    [
      "somebody else's hook",
      'mkdir -p .clinerules/hooks; echo x >.clinerules/hooks/PreToolUse',
      'cline',
      "is not kotef's",
    ],
    ['a section without an end', 'echo "<!-- kotef:begin -->" >AGENTS.md', 'generic', 'AGENTS.md do not form a pair'],
    ['an end without a section', 'echo "<!-- kotef:end -->" >AGENTS.md', 'generic', 'AGENTS.md do not form a pair'],
    [
      'two sections',
      'for i in 1 2; do printf "<!-- kotef:begin -->\\n<!-- kotef:end -->\\n"; done >AGENTS.md',
      'generic',
      'AGENTS.md do not form a pair',
    ],
  ]
  test.each(refusals)('%s', async (_, prepare, agent, message) => {
    await using repo = copyRepo(fresh())
    await repo.play(prepare)
    const before = await folderContents(repo.base)
    const { failure } = await runCli(repo, 'init', '--yes', '--agent', 'generic', '--agent', agent)
    expect(failure).toMatchObject({ code: 'agent-config', message: expect.stringContaining(message) })
    expect(await folderContents(repo.base)).toEqual(before)
    expect((await runCli(repo, 'uninit')).failure).toBeNull()
  })

  test.each(['.claude', '.claude/settings.json'])('no permission to write %s', async place => {
    await using repo = copyRepo(fresh())
    await repo.write('.claude/settings.json', '{"a":1}')
    const before = await worktreeFiles(repo)
    await chmod(join(repo.root, place), place === '.claude' ? 0o555 : 0o444)
    const { code, stdout } = await repo.run('sh', [
      '-c',
      `exec ${AS_UNPRIVILEGED}kotef init --yes --agent claude --json`,
    ])
    await chmod(join(repo.root, place), place === '.claude' ? 0o755 : 0o644)
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { error: { code: 'agent-config' } }])
    expect(await worktreeFiles(repo)).toEqual(before)
    expect(await repo.git('status', '--porcelain')).toBe('?? .claude/\n')
  })

  test('what damaged files hold of kotef is named by uninit, and the rest goes', async () => {
    await using repo = copyRepo(fresh())
    await runCliOrThrow(repo, 'init', '--yes', '--agent', 'claude')
    await repo.write('.claude/settings.json', (await repo.read('.claude/settings.json')).slice(0, -3))
    const { text, exit } = await runCli(repo, 'uninit')
    expect({ text, exit }).toEqual({ text: expect.stringContaining('\n  .claude/settings.json\n'), exit: 1 })
    expect(Object.keys(await worktreeFiles(repo)).filter(it => !/^(src|lib)/.test(it))).toEqual([
      '.claude',
      '.claude/settings.json',
    ])
  })
})

test('a new opencode.json has the schema that OpenCode would add to it (solo C9)', async () => {
  await using repo = copyRepo(fresh())
  await runCliOrThrow(repo, 'init', '--yes', '--agent', 'opencode')
  expect(JSON.parse(await repo.read('opencode.json'))).toMatchObject({ $schema: 'https://opencode.ai/config.json' })
  await runCliOrThrow(repo, 'uninit')
  expect(existsSync(join(repo.root, 'opencode.json'))).toBe(false)
})

describe('files that a person has written comments into', () => {
  test('are edited around the comments, and are as they were after uninit', async () => {
    await using repo = copyRepo(fresh())
    const text = '{\n  // mine\n  "a": 1, // one\n}\n'
    await repo.write('opencode.json', text)
    const said = await runCliOrThrow(repo, 'init', '--yes', '--agent', 'opencode')
    expect(said).toContain('  opencode.json\n')
    expect(said).not.toContain('by hand')
    expect(await repo.read('opencode.json')).toMatch(
      /^\{\n {2}\/\/ mine\n {2}"a": 1, \/\/ one\n {2}"mcp": \{\n {4}"kotef"/,
    )
    expect((await runCli(repo, 'uninit')).failure).toBeNull()
    expect(await repo.read('opencode.json')).toBe(text)
  })

  test('TOML that names the server otherwise is left as it is', async () => {
    await using repo = copyRepo(fresh())
    const text = 'mcp_servers.kotef = { command = "mine" }\n'
    await repo.write('.codex/config.toml', text)
    expect(await runCliOrThrow(repo, 'init', '--yes', '--agent', 'codex')).toContain(
      'Add this to .codex/config.toml by hand',
    )
    expect(await repo.read('.codex/config.toml')).toBe(text)
  })
})
