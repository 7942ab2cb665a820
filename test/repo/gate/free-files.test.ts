import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addWorktree, switchRunsOff, unselectedRepo } from '../../rig/selection.ts'
import { askGate, bashTool, bindSession, writeTool } from '../../rig/agent-gate.ts'
import { runAgentHook } from '../../rig/agent-hooks.ts'
import type { Repo } from '../../rig/repo.ts'

let repo: Repo
let scratch: string

beforeAll(async () => {
  repo = await unselectedRepo()
  scratch = await mkdtemp('/tmp/t-')
  await repo.write(
    '.gitignore',
    'dist/\n*.log\nnested/\n.githooks/\nnode_modules/\n.sdd/cache\nhome/\n.agents-work\n*.git*\n',
  )
  await repo.write('dist/forced.js', 'x\n')
  await repo.write('dist/gone.js', 'x\n')
  await repo.git('add', '-f', 'dist', '.gitignore')
  await repo.git('commit', '-qm', 'base', '--no-verify')
  await repo.git('rm', '-q', '--cached', 'dist/gone.js')
  await repo.play('mkdir -p nested/repo bare && git init -q nested/repo && git init -q --bare nested/bare')
  await repo.write('docs/b.md', 'b\n')
  await repo.git('config', 'core.hooksPath', '.githooks')
  await repo.git('config', 'core.excludesFile', join(repo.root, 'src/own-rules'))
  await repo.write('src/own-rules', 'hidden.ts\n')
  await repo.play('mkdir -p .githooks out')
  await symlink('../docs/b.md', join(repo.root, 'dist/link.js'))
  await symlink(repo.root, join(scratch, 'worktree'))
  await writeFile(join(scratch, 'one'), '')
  await link(join(scratch, 'one'), join(scratch, 'hard'))
  await mkdir(join(scratch, 'other/.git'), { recursive: true })
  await writeFile(join(scratch, 'plain'), '')
  await switchRunsOff(repo)
  await bindSession(repo)
})
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
  await repo[Symbol.asyncDispose]()
})

// In one pass: the name of a temporary folder can end with either letter.
const words = (text: string) => text.replace(/([SW])\//g, (_, it) => `${it === 'S' ? scratch : repo.root}/`)

const free = [
  'echo x > S/a',
  'npm test > S/test.log 2>&1',
  'npm test | tee S/t.log',
  "cat > S/x.py <<'X'\nprint(1)\nX",
  'mkdir -p S/new/deep && touch S/new/deep/a',
  'rm -rf S/new && mkdir S/new && touch S/new/a',
  'echo x > /var/tmp/kt-never-made',
  'rm -f S/plain',
  'npm test > test.log',
  'npm test | tee lib/test.log',
  'touch dist/new.js',
  'rm dist/new.js',
  'rm -rf dist/cache',
  'mkdir -p node_modules',
  'mkdir node_modules/.cache',
  'git restore --staged .',
  'git reset docs/b.md lib',
  'git rm -q --cached docs/b.md',
  'cp src/a.ts S/',
]

const held = [
  'echo x > S/worktree/docs/b.md',
  'echo x > S/hard',
  'echo x > S/../../etc/kt-never',
  'echo x > S/other/a',
  'echo x > S/other/.git/hooks/pre-commit',
  'echo x > S/x/.GIT/config',
  'rm -rf S/other',
  'rm -rf /tmp',
  'mv docs/b.md S/',
  'TMPDIR=/etc; echo x > /etc/kt-never',
  'export TMPDIR=$HOME; echo x > ~/kt-never',
  'cp -P S/worktree S/d; echo x > S/d/docs/b.md',
  'echo x > /tmp/kotef-0/daemon.sock',
  'echo x > ~/.bashrc',
  'mkdir -p S/m/.claude-plugin && echo x > S/m/.claude-plugin/plugin.json',
  'echo x > S/m/hooks/hooks.json',
  'echo x > dist/hooks/hooks.json',
  'echo x > S/gemini-extension.json',
  'echo x > dist/forced.js',
  'echo x > dist/gone.js',
  'echo x > dist/link.js',
  'rm -rf dist',
  'echo x > nested/repo/a',
  'rm -rf nested/repo',
  'echo x > nested/bare/config',
  'rm -rf nested',
  'echo x > nested/bare/hooks/update',
  'echo x > .githooks/pre-commit',
  'rm -rf .githooks',
  'echo x > .orchestration/agent_trace.jsonl',
  'rm .orchestration/agent_trace.jsonl',
  'mkdir -p .sdd/cache/x',
  'echo x > .agents-work/a',
  'echo x > node_modules/kotef-watch/dist/main.js',
  'echo x > node_modules/.pnpm/kotef-watch@1.0.0/x',
  'ln -sf x node_modules/.bin/kotef',
  'echo x > lib/.gitattributes',
  'echo x > docs/b.md',
  'echo x > lib/hidden.ts',
  'git restore --staged --worktree docs/b.md',
]

describe('temporary files, ignored files and the index are free (solo A7, A8)', () => {
  test.each(free)('free: %s', async line => {
    const { kind, text } = await askGate(repo, 'claude', bashTool(words(line)))
    expect({ kind, text }).toEqual({ kind: 'allowed', text: '' })
  })

  test.each(held)('still refused: %s', async line => {
    const { kind } = await askGate(repo, 'claude', bashTool(words(line)))
    expect(kind).toBe('denied')
  })

  // The program that an agent runs has another way to its libraries than the code in this process.
  test('also for the program that an agent runs, and a refusal names only what is not free', async () => {
    const ask = (line: string) => askGate(repo, 'claude', { ...bashTool(words(line)), before: '' })
    expect(await ask('npm test > test.log 2>&1')).toMatchObject({ kind: 'allowed', text: '' })
    const { kind, refusal } = await ask('echo x > S/a; echo x > lib/new.ts; echo x > dist/new.js')
    const message = 'Scope Violation: INT-001 is not authorized to edit lib/new.ts. Request scope expansion.'
    expect([kind, refusal]).toMatchObject(['denied', { message, path: 'lib/new.ts' }])
    expect((await askGate(repo, 'claude', { ...writeTool('dist/a.js'), before: '' })).kind).toBe('allowed')
  })

  test('also for a tool that writes a file', async () => {
    for (const path of [join(scratch, 'notes.md'), 'test.log', join(repo.root, 'dist/a.js')])
      expect((await askGate(repo, 'claude', writeTool(path))).kind).toBe('allowed')
  })

  test('with KOTEF_LOG=debug the hook says on stderr which row decided on each location', async () => {
    vi.stubEnv('KOTEF_LOG', 'debug')
    const command = words('echo x > S/a; echo x > dist/new.js; echo x > src/a.ts; echo x > docs/b.md')
    const use = { session_id: 's', cwd: repo.root, hook_event_name: 'PreToolUse', tool_use_id: 'c' }
    const input = JSON.stringify({ ...use, tool_name: 'Bash', tool_input: { command } })
    const { stderr } = await runAgentHook(repo, 'claude', input)
    const rows = [`${scratch}/a: temporary`, 'dist/new.js: ignored', 'src/a.ts: owned', 'docs/b.md: not-owned']
    expect(stderr).toBe(rows.map(it => `kotef: ${it}\n`).join(''))
    vi.stubEnv('KOTEF_LOG', '')
    expect((await runAgentHook(repo, 'claude', input)).stderr).toBe('')
  })

  test('another worktree below a temporary folder is not free', async () => {
    const other = await addWorktree(repo, 'beside')
    vi.stubEnv('TMPDIR', repo.base)
    expect((await askGate(repo, 'claude', writeTool(join(other, 'test.log')))).refusal).toMatchObject({
      error_type: 'path-in-worktree',
    })
    expect((await askGate(repo, 'claude', bashTool(`rm -rf ${repo.base}`))).kind).toBe('denied')
  })

  test.each([
    ['the home folder', () => homedir()],
    ['the root', () => '/'],
    ['a link', () => join(scratch, 'etc')],
  ])('TMPDIR does not count when it is %s', async (_, folder) => {
    await symlink('/etc', join(scratch, 'etc')).catch(() => {})
    vi.stubEnv('TMPDIR', folder())
    expect((await askGate(repo, 'claude', writeTool('/etc/kt-never'))).kind).toBe('denied')
    expect((await askGate(repo, 'claude', writeTool(join(homedir(), 'kt-never')))).kind).toBe('denied')
  })

  test('before a selection nothing is free', async () => {
    const use = { ...writeTool(join(scratch, 'a')), session: 'new' }
    expect((await askGate(repo, 'claude', use)).refusal).toMatchObject({ error_type: 'intent-required' })
  })

  test.each(['temporary', 'ignored'] as const)(
    'config can deny what is %s, and an edit of it allows nothing',
    async key => {
      const file = key === 'temporary' ? join(scratch, 'a') : 'test.log'
      await using own = await unselectedRepo()
      await own.write('.gitignore', '*.log\n')
      await own.git('add', '.gitignore')
      await bindSession(own)
      expect((await askGate(own, 'claude', writeTool(file))).kind).toBe('allowed')
      await own.write('.orchestration/config.yaml', `agents: { ${key}: deny }\n`)
      expect((await askGate(own, 'claude', writeTool(file))).kind).toBe('denied')
      await own.git('add', '-A')
      await own.git('commit', '-qm', 'tighter', '--no-verify')
      await own.write('.orchestration/config.yaml', `agents: { ${key}: allow }\n`)
      expect((await askGate(own, 'claude', writeTool(file))).kind).toBe('denied')
    },
  )
})
