import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GATED_AGENTS, askGate, bashTool, bindSession, callHook, useTool, writeTool } from '../../rig/agent-gate.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { ledgerEvents } from '../../rig/ledger-events.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { unselectedRepo } from '../../rig/selection.ts'

const CITE = 'You must cite a valid active Intent ID.'

// The first of each kind is asked of a process of its own.
const changing = [
  { ...writeTool('src/a.ts'), before: '' },
  { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } },
  { tool: 'write_to_file', input: { path: 'src/a.ts', content: 'x' } },
  { tool: 'execute_command', input: { command: 'npm test' } },
  bashTool('echo x > src/a.ts'),
  bashTool('node -e 1'),
  { tool: 'mcp__files__write', input: { path: 'src/a.ts' } },
  { tool: 'a tool that nobody knows', input: {} },
]

const reading = [
  { tool: 'Read', input: { file_path: 'src/a.ts' }, before: '' },
  { tool: 'Grep', input: { pattern: 'x' } },
  bashTool('git status && cat src/a.ts | head -3'),
  { tool: 'mcp__kotef__select_active_intent', input: { intent_id: 'INT-001' } },
]

// For questions that change nothing.
const resting = fixture(unselectedRepo)

describe.each(GATED_AGENTS)('%s', agent => {
  test('US1.2, FR-002, FR-009, SC-003: before a selection no tool may change anything, and is told why', async () => {
    await using repo = await unselectedRepo()
    for (const use of changing) {
      const { kind, refusal } = await askGate(repo, agent, use)
      expect({ kind, refusal }, JSON.stringify(use)).toMatchObject({
        kind: 'denied',
        refusal: { status: 'error', error_type: 'intent-required', message: CITE, recoverable: true },
      })
    }
    for (const use of reading) {
      const { kind, exit } = await askGate(repo, agent, use)
      expect({ kind, exit }, JSON.stringify(use)).toEqual({ kind: 'allowed', exit: 0 })
    }
  })

  test('the ledger has the first refused call of each session, by the program of the agent as well', async () => {
    await using repo = await unselectedRepo()
    const ask = (session: string, before?: string) =>
      askGate(repo, agent, { ...writeTool('src/a.ts'), session, ...(before === undefined ? {} : { before }) })
    for (const session of ['s', 's', 't']) expect((await ask(session)).kind).toBe('denied')
    expect((await ask('u', '')).kind).toBe('denied')
    await askGate(repo, agent, { ...bashTool('git status'), session: 'v' })
    const refused = (await ledgerEvents(repo)).filter(it => it['event'] === 'refused')
    const first = (session: string) => ({ session, agent, tool: 'Write', code: 'intent-required' })
    expect(refused).toMatchObject(['s', 't', 'u'].map(first))
    expect((await runCli(repo, 'trace')).text).toContain(`  refused     Write of ${agent}: intent-required`)
    expect((await runCli(repo, 'trace', 'verify')).failure).toBeNull()
  })

  test('US1.1, FR-008: after it the same tools may be used, in silence', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    for (const use of [...changing, ...reading]) {
      const { kind, text, exit } = await askGate(repo, agent, use)
      expect({ kind, text, exit }, JSON.stringify(use)).toEqual({ kind: 'allowed', text: '', exit: 0 })
    }
  })

  test('FR-014, FR-015: a path out of scope is refused, new or not, by its name and by where it leads', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    await symlink('../docs', join(repo.root, 'src/linked'))
    const outside = (path: string) => ({
      status: 'error',
      error_type: 'scope-violation',
      message: `Scope Violation: INT-001 is not authorized to edit ${path}. Request scope expansion.`,
      path,
      intent: 'INT-001',
      recoverable: true,
      action_hint: expect.stringContaining('request_scope_expansion'),
    })
    const rows: [use: { tool: string; input: object }, path: string][] = [
      [writeTool('docs/b.md'), 'docs/b.md'],
      [writeTool('new.ts'), 'new.ts'],
      [writeTool(join(repo.root, 'docs/new/deep.md')), 'docs/new/deep.md'],
      [writeTool('src/linked/x'), 'docs/x'],
      [bashTool('rm docs/b.md'), 'docs/b.md'],
      [bashTool('cp src/a.ts lib/'), 'lib/a.ts'],
      [bashTool('cd src && echo x > ../lib/x.ts'), 'lib/x.ts'],
    ]
    for (const [use, path] of rows)
      expect((await askGate(repo, agent, use)).refusal, JSON.stringify(use)).toEqual(outside(path))
  })

  test('whose claim is taken works on the intent no more, where an intent is for one alone', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).kind).toBe('allowed')
    await runCli(repo, 'intent', 'start', 'INT-001', '--agent', 'aider', '--steal')
    for (const use of [writeTool('src/a.ts'), bashTool('npm test')]) {
      const { kind, refusal } = await askGate(repo, agent, use)
      expect({ kind, refusal }).toMatchObject({
        kind: 'denied',
        refusal: { error_type: 'claim-lost', recoverable: true },
      })
    }
    expect((await askGate(repo, agent, bashTool('git status'))).kind).toBe('allowed')
    await repo.play('for it in .git/kotef/claims-read/*; do head -c 60 $it > ../cut; cat ../cut > $it; done')
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).refusal).toMatchObject({ error_type: 'claim-lost' })
    await repo.write('.orchestration/config.yaml', 'claims: allow\n')
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).kind).toBe('allowed')
  })

  test('what no scope reaches is refused in any scope', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    const rows = [
      ['governance-plane', writeTool('.claude/settings.json')],
      ['governance-plane', bashTool('echo x >> .orchestration/active_intents.yaml')],
      ['path-of-git', writeTool('.git/hooks/pre-commit')],
      ['path-outside', writeTool('/usr/elsewhere.ts')],
      ['path-outside', bashTool('rm -rf ~/x')],
      ['governance-off', bashTool('git commit --no-verify -m x')],
      ['governance-off', bashTool('kotef uninit')],
    ] as const
    for (const [error_type, use] of rows)
      expect((await askGate(repo, agent, use)).refusal, JSON.stringify(use)).toMatchObject({
        status: 'error',
        error_type,
      })
  })

  test('relative paths begin where the agent works; what it has gone away from is governed all the same', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    const cwd = join(repo.root, 'src')
    expect(await askGate(repo, agent, { ...writeTool('a.ts'), cwd })).toMatchObject({ kind: 'allowed' })
    expect((await askGate(repo, agent, { ...writeTool('../docs/b.md'), cwd })).refusal).toMatchObject({
      path: 'docs/b.md',
    })
    const away = { ...writeTool(join(repo.root, 'docs/b.md')), cwd: repo.base }
    expect((await askGate(repo, agent, away)).refusal).toMatchObject({ path: 'docs/b.md' })
  })

  test('a word in `git checkout` is a folder only where no branch has its name', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    expect((await askGate(repo, agent, bashTool('git checkout docs'))).refusal).toMatchObject({
      error_type: 'scope-violation',
    })
    await repo.git('branch', 'docs')
    expect((await askGate(repo, agent, bashTool('git checkout docs'))).kind).toBe('allowed')
  })

  test.each([
    ...['git -C ROOT rm -qf a', 'git --git-dir=ROOT/.git rm a', 'cd ROOT && make', 'env -C ROOT make'],
    ...['make -C ROOT', 'npm --prefix ROOT run x', 'yarn --cwd=ROOT test', 'd=ROOT; cd "$d" && make'],
  ])('a command that goes there from a folder outside is judged: %s', async command => {
    const repo = resting()
    const outside = { ...repo, root: repo.base }
    const ask = (line: string) => askGate(outside, agent, bashTool(line))
    expect((await ask(command.replace('ROOT', repo.root))).refusal).toMatchObject({ error_type: 'intent-required' })
    expect((await ask(command.replace('ROOT', join(repo.base, 'nowhere')))).kind).toBe('allowed')
  })

  test.each([
    ['US5.2, COMPLETED', ['intent', 'complete', 'INT-001', '--attest'], /INT-001 is COMPLETED/],
    ['US5.3, ABANDONED', ['intent', 'abandon', 'INT-001'], /INT-001 is ABANDONED/],
  ])('%s: once its intent is closed, the session changes nothing any more', async (_, words, reported) => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).kind).toBe('allowed')
    expect((await runCli(repo, ...words)).failure).toBeNull()
    const { refusal } = await askGate(repo, agent, writeTool('src/a.ts'))
    expect(refusal).toMatchObject({
      error_type: 'intent-required',
      action_hint: expect.stringContaining('new session'),
    })
    expect(refusal['message']).toMatch(reported)
    expect((await askGate(repo, agent, { tool: 'Read', input: { file_path: 'src/a.ts' } })).kind).toBe('allowed')
  })

  test('what the registry says by now holds at once, and a wider scope only when it is committed', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    const edited = async (from: RegExp, to: string) => {
      const text = await repo.read('.orchestration/active_intents.yaml')
      await repo.write('.orchestration/active_intents.yaml', text.replace(from, to))
    }
    await edited(/"src\/\*\*"\]/, '"src/**", "docs/**"]')
    expect((await askGate(repo, agent, writeTool('docs/b.md'))).kind).toBe('denied')
    await repo.git('commit', '-qam', 'wider', '-m', 'Governance: docs as well', '--no-verify')
    expect((await askGate(repo, agent, writeTool('docs/b.md'))).kind).toBe('allowed')
    await edited(/(id: INT-001.*?status: )PENDING/s, '$1BLOCKED')
    expect((await askGate(repo, agent, writeTool('docs/b.md'))).refusal).toMatchObject({
      error_type: 'intent-required',
    })
  })

  test('a file that another one changed since the session read it is refused, until it has read it again', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    const read = { tool: 'Read', input: { file_path: 'src/a.ts' } }
    await callHook(repo, agent, { at: 'after-tool', ...read })
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).kind).toBe('allowed')
    expect((await askGate(repo, agent, bashTool('rm -r src'))).kind).toBe('allowed')
    await repo.write('src/a.ts', 'by somebody else\n')
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).refusal).toMatchObject({ error_type: 'stale-file' })
    expect((await askGate(repo, agent, bashTool('rm -r src'))).refusal).toMatchObject({ error_type: 'stale-file' })
    // Another session has not read it, and what nobody read can't be stale.
    expect((await askGate(repo, agent, { ...writeTool('src/a.ts'), session: 'other' })).refusal).toMatchObject({
      error_type: 'intent-required',
    })
    await callHook(repo, agent, { at: 'after-tool', ...read })
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).kind).toBe('allowed')
  })

  test('what the session itself has written or changed since it read a file is not stale', async () => {
    await using repo = await unselectedRepo()
    await bindSession(repo)
    await callHook(repo, agent, { at: 'after-tool', tool: 'Read', input: { file_path: 'src/a.ts' } })
    const own = [
      { ...writeTool('src/a.ts'), does: () => repo.write('src/a.ts', 'one\n') },
      { ...bashTool('echo two > src/a.ts'), does: () => repo.write('src/a.ts', 'two\n') },
      { ...bashTool('npx prettier -w .'), does: () => repo.write('src/a.ts', 'three\n') },
      { ...bashTool('rm -r src'), does: () => repo.play('rm -r src') },
      { ...writeTool('src/a.ts'), does: () => repo.write('src/a.ts', 'four\n') },
    ]
    for (const use of own)
      expect(await useTool(repo, agent, use)).toMatchObject({ before: { kind: 'allowed' }, after: { kind: 'allowed' } })
    await repo.write('src/a.ts', 'by somebody else\n')
    expect((await askGate(repo, agent, writeTool('src/a.ts'))).refusal).toMatchObject({ error_type: 'stale-file' })
  })

  test('where nobody asked for governance, the hook says nothing', async () => {
    await using repo = await temporaryRepo({ 'src/a.ts': 'a\n' })
    for (const use of changing) expect(await askGate(repo, agent, use)).toMatchObject({ kind: 'allowed', exit: 0 })
    for (const at of ['prompt', 'session-start', 'settings-change'] as const)
      expect(await callHook(repo, agent, { at })).toMatchObject({ kind: 'allowed', exit: 0 })
    await repo.play('rm -rf .git')
    expect(await askGate(repo, agent, writeTool('src/a.ts'))).toMatchObject({ kind: 'allowed', exit: 0 })
  })
})
