import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withLock } from '../../../src/world/io/files/lock.ts'
import { runCli } from '../../rig/command-line.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { GATED_AGENTS, askGate, bashTool, bindSession, type ToolUse, useTool } from '../../rig/agent-gate.ts'
import type { Repo } from '../../rig/repo.ts'
import { unselectedRepo } from '../../rig/selection.ts'

/** Commands whose writes nobody can read off them, what they do, and the paths that they had to keep from. */
const opaque: readonly (readonly [use: ToolUse, does: string, paths: readonly string[]])[] = [
  [bashTool('node -e "fs.writeFileSync(p, 1)"'), `node -e "fs.writeFileSync('docs/x.md', '1')"`, ['docs/x.md']],
  [bashTool('make'), 'echo x > made; echo x > src/made', ['made']],
  [bashTool('sh -c "$(cat build.sh)"'), 'mkdir -p lib/deep; echo x > lib/deep/x', ['lib/deep/x']],
  [bashTool('find . -name "*.md" -exec sed -i s/b/c/ {} +'), 'sed -i s/b/c/ docs/b.md', ['docs/b.md']],
  [bashTool('ls docs/* | xargs rm'), 'rm docs/b.md', ['docs/b.md']],
  [bashTool('tar xf x.tar'), 'mv src/b.ts lib/b.ts', ['lib/b.ts']],
  [bashTool('npm run format'), 'echo "// formatted" >> lib/x.ts; chmod +x old/c', ['lib/x.ts', 'old/c']],
  [bashTool('python3 setup.py'), 'mkdir -p .claude; echo {} > .claude/settings.json', ['.claude/settings.json']],
  [bashTool('git apply x.patch'), 'echo x >> docs/b.md', ['docs/b.md']],
  [{ tool: 'mcp__files__do', input: {} }, 'echo x > elsewhere', ['elsewhere']],
]

const NOBODY: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} }

describe.each<[string, (repo: Repo) => Promise<AsyncDisposable>]>([
  ['under a daemon', startWatching],
  ['where nobody watches', async () => NOBODY],
])('%s', (_, watch) => {
  let repo: Repo
  let daemon: AsyncDisposable
  beforeAll(async () => {
    repo = await unselectedRepo()
    await repo.git('config', 'core.hooksPath', '/dev/null')
    await bindSession(repo)
    daemon = await watch(repo)
  })
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]()
    await repo[Symbol.asyncDispose]()
  })

  test.each(opaque)(
    'FR-014: what %j has written out of scope is told as soon as it is done',
    async (use, does, paths) => {
      const agent = GATED_AGENTS[paths.length % GATED_AGENTS.length] ?? 'claude'
      const { before, after } = await useTool(repo, agent, { ...use, does: () => repo.play(does) })
      expect(before.kind).toBe('allowed')
      expect(after).toMatchObject({ kind: 'denied', refusal: { status: 'error', recoverable: true } })
      for (const path of paths) expect(after.refusal['message']).toContain(path)
      expect(after.refusal['message']).not.toContain('src/')
      expect(after.refusal['action_hint']).toContain('git restore')
      await repo.play('git add -A; git reset -q --hard')
    },
  )

  test('what it writes in scope is its own, and nothing is said', async () => {
    const use = { ...bashTool('make'), does: () => repo.play('echo x > src/made; rm src/b.ts') }
    expect(await useTool(repo, 'claude', use)).toMatchObject({
      before: { kind: 'allowed' },
      after: { kind: 'allowed' },
    })
  })

  test('of what git takes away just before it, the command is not accused', async () => {
    const use = { ...bashTool('make'), does: () => repo.play('mkdir -p src/deep; echo same > src/deep/one') }
    for (const n of [1, 2, 3]) {
      // What comes next has the content of what goes: it must not pass for a file that the command has moved.
      await repo.play(`mkdir -p lib/deep; echo same > lib/deep/${n}`)
      await runCli(repo, 'flush')
      await repo.play('git add -A; git reset -q --hard')
      expect(await useTool(repo, 'claude', use)).toMatchObject({ after: { kind: 'allowed' } })
      await repo.play('rm -r src/deep')
      await runCli(repo, 'flush')
    }
  })

  test('of what a person writes after it, the command is not accused', async () => {
    await useTool(repo, 'claude', { ...bashTool('make'), does: () => repo.write('src/made', 'again\n') })
    await repo.write('docs/by-hand', 'x\n')
    const use = { ...bashTool('make'), does: () => repo.write('src/made', 'once more\n') }
    expect(await useTool(repo, 'claude', use)).toMatchObject({ after: { kind: 'allowed' } })
  })
})

test('a command does not wait for what is judged in another worktree', async () => {
  await using repo = await unselectedRepo()
  await repo.git('config', 'core.hooksPath', '/dev/null')
  await bindSession(repo)
  await using _daemon = await startWatching(repo)
  const judging = async (): Promise<void> => {
    await repo.git('commit', '-q', '--allow-empty', '-m', 'judged')
    expect((await askGate(repo, 'claude', bashTool('make'))).kind).toBe('allowed')
  }
  await withLock(join(repo.root, '.git/kotef/judged.lock'), judging, { waitMsMax: 60_000 })
})

test.each([
  ['ask', 'asked', 'denied'],
  ['deny', 'denied', 'denied'],
] as const)(
  'with opaque_commands: %s in the config, an agent that can ask is %s, another one is %s',
  async (...row) => {
    const [value, claude, generic] = row
    await using repo = await unselectedRepo()
    await bindSession(repo)
    await repo.write('.orchestration/config.yaml', `opaque_commands: ${value}\n`)
    for (const [agent, kind] of [
      ['claude', claude],
      ['generic', generic],
    ] as const) {
      const { before } = await useTool(repo, agent, { ...bashTool('make'), does: async () => {} })
      expect(before).toMatchObject({ kind, refusal: { error_type: 'opaque-command' } })
      const known = await useTool(repo, agent, {
        ...bashTool('echo x > src/a.ts'),
        does: () => repo.write('src/a.ts', 'x\n'),
      })
      expect(known.before.kind).toBe('allowed')
    }
  },
)
