import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { AGENTS, asks, bash, bind, hooked, uses, write } from '../../rig/gate.ts'
import { say } from '../../rig/command-line.ts'
import { temporaryRepo } from '../../rig/repo.ts'
import { restingRepo } from '../../rig/selecting.ts'

const CITE = 'You must cite a valid active Intent ID.'

const changing = [
  write('src/a.ts'),
  { tool: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' } },
  { tool: 'write_to_file', input: { path: 'src/a.ts', content: 'x' } },
  { tool: 'execute_command', input: { command: 'npm test' } },
  bash('echo x > src/a.ts'),
  bash('node -e 1'),
  { tool: 'mcp__files__write', input: { path: 'src/a.ts' } },
  { tool: 'a tool that nobody knows', input: {} },
]

const reading = [
  { tool: 'Read', input: { file_path: 'src/a.ts' } },
  { tool: 'Grep', input: { pattern: 'x' } },
  bash('git status && cat src/a.ts | head -3'),
  { tool: 'mcp__kotef__select_active_intent', input: { intent_id: 'INT-001' } },
]

describe.each(AGENTS)('%s', agent => {
  test('US1.2, FR-002, FR-009, SC-003: before a selection no tool may change anything, and is told why', async () => {
    await using repo = await restingRepo()
    for (const use of changing) {
      const { kind, refusal } = await asks(repo, agent, use)
      expect({ kind, refusal }, JSON.stringify(use)).toMatchObject({
        kind: 'denied',
        refusal: { status: 'error', error_type: 'intent-required', message: CITE, recoverable: true },
      })
    }
    for (const use of reading) {
      const { kind, exit } = await asks(repo, agent, use)
      expect({ kind, exit }, JSON.stringify(use)).toEqual({ kind: 'allowed', exit: 0 })
    }
  })

  test('US1.1, FR-008: after it the same tools may be used, in silence', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    for (const use of [...changing, ...reading]) {
      const { kind, text, exit } = await asks(repo, agent, use)
      expect({ kind, text, exit }, JSON.stringify(use)).toEqual({ kind: 'allowed', text: '', exit: 0 })
    }
  })

  test('FR-014, FR-015: a path out of scope is refused, new or not, by its name and by where it leads', async () => {
    await using repo = await restingRepo()
    await bind(repo)
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
      [write('docs/b.md'), 'docs/b.md'],
      [write('new.ts'), 'new.ts'],
      [write(join(repo.root, 'docs/new/deep.md')), 'docs/new/deep.md'],
      [write('src/linked/x'), 'docs/x'],
      [bash('rm docs/b.md'), 'docs/b.md'],
      [bash('cp src/a.ts lib/'), 'lib/a.ts'],
      [bash('cd src && echo x > ../lib/x.ts'), 'lib/x.ts'],
    ]
    for (const [use, path] of rows)
      expect((await asks(repo, agent, use)).refusal, JSON.stringify(use)).toEqual(outside(path))
  })

  test('whose claim is taken works on the intent no more, where an intent is for one alone', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    expect((await asks(repo, agent, write('src/a.ts'))).kind).toBe('allowed')
    await say(repo, 'intent', 'start', 'INT-001', '--agent', 'aider', '--steal')
    for (const use of [write('src/a.ts'), bash('npm test')]) {
      const { kind, refusal } = await asks(repo, agent, use)
      expect({ kind, refusal }).toMatchObject({
        kind: 'denied',
        refusal: { error_type: 'claim-lost', recoverable: true },
      })
    }
    expect((await asks(repo, agent, bash('git status'))).kind).toBe('allowed')
    await repo.play('for it in .git/kotef/claims-read/*; do head -c 60 $it > ../cut; cat ../cut > $it; done')
    expect((await asks(repo, agent, write('src/a.ts'))).refusal).toMatchObject({ error_type: 'claim-lost' })
    await repo.write('.orchestration/config.yaml', 'claims: allow\n')
    expect((await asks(repo, agent, write('src/a.ts'))).kind).toBe('allowed')
  })

  test('what no scope reaches is refused in any scope', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    const rows = [
      ['governance-plane', write('.claude/settings.json')],
      ['governance-plane', bash('echo x >> .orchestration/active_intents.yaml')],
      ['path-of-git', write('.git/hooks/pre-commit')],
      ['path-outside', write('../elsewhere.ts')],
      ['path-outside', bash('rm -rf ~/x')],
      ['governance-off', bash('git commit --no-verify -m x')],
      ['governance-off', bash('kotef uninit')],
    ] as const
    for (const [error_type, use] of rows)
      expect((await asks(repo, agent, use)).refusal, JSON.stringify(use)).toMatchObject({ status: 'error', error_type })
  })

  test('relative paths begin where the agent works; what it has gone away from is governed all the same', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    const cwd = join(repo.root, 'src')
    expect(await asks(repo, agent, { ...write('a.ts'), cwd })).toMatchObject({ kind: 'allowed' })
    expect((await asks(repo, agent, { ...write('../docs/b.md'), cwd })).refusal).toMatchObject({ path: 'docs/b.md' })
    const away = { ...write(join(repo.root, 'docs/b.md')), cwd: repo.base }
    expect((await asks(repo, agent, away)).refusal).toMatchObject({ path: 'docs/b.md' })
  })

  test.each([
    ['US5.2, COMPLETED', ['intent', 'complete', 'INT-001', '--attest'], /INT-001 is COMPLETED/],
    ['US5.3, ABANDONED', ['intent', 'abandon', 'INT-001'], /INT-001 is ABANDONED/],
  ])('%s: once its intent is closed, the session changes nothing any more', async (_, words, told) => {
    await using repo = await restingRepo()
    await bind(repo)
    expect((await asks(repo, agent, write('src/a.ts'))).kind).toBe('allowed')
    expect((await say(repo, ...words)).failure).toBeNull()
    const { refusal } = await asks(repo, agent, write('src/a.ts'))
    expect(refusal).toMatchObject({
      error_type: 'intent-required',
      action_hint: expect.stringContaining('new session'),
    })
    expect(refusal['message']).toMatch(told)
    expect((await asks(repo, agent, { tool: 'Read', input: { file_path: 'src/a.ts' } })).kind).toBe('allowed')
  })

  test('what the registry says by now holds at once, and a wider scope only when it is committed', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    const edited = async (from: RegExp, to: string) => {
      const text = await repo.read('.orchestration/active_intents.yaml')
      await repo.write('.orchestration/active_intents.yaml', text.replace(from, to))
    }
    await edited(/"src\/\*\*"\]/, '"src/**", "docs/**"]')
    expect((await asks(repo, agent, write('docs/b.md'))).kind).toBe('denied')
    await repo.git('commit', '-qam', 'wider', '-m', 'Governance: docs as well', '--no-verify')
    expect((await asks(repo, agent, write('docs/b.md'))).kind).toBe('allowed')
    await edited(/(id: INT-001.*?status: )IN_PROGRESS/s, '$1BLOCKED')
    expect((await asks(repo, agent, write('docs/b.md'))).refusal).toMatchObject({ error_type: 'intent-required' })
  })

  test('a file that another one changed since the session read it is refused, until it has read it again', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    const read = { tool: 'Read', input: { file_path: 'src/a.ts' } }
    await hooked(repo, agent, { at: 'after-tool', ...read })
    expect((await asks(repo, agent, write('src/a.ts'))).kind).toBe('allowed')
    expect((await asks(repo, agent, bash('rm -r src'))).kind).toBe('allowed')
    await repo.write('src/a.ts', 'by somebody else\n')
    expect((await asks(repo, agent, write('src/a.ts'))).refusal).toMatchObject({ error_type: 'stale-file' })
    expect((await asks(repo, agent, bash('rm -r src'))).refusal).toMatchObject({ error_type: 'stale-file' })
    // Another session has not read it, and what nobody read can't be stale.
    expect((await asks(repo, agent, { ...write('src/a.ts'), session: 'other' })).refusal).toMatchObject({
      error_type: 'intent-required',
    })
    await hooked(repo, agent, { at: 'after-tool', ...read })
    expect((await asks(repo, agent, write('src/a.ts'))).kind).toBe('allowed')
  })

  test('what the session itself has written or changed since it read a file is not stale', async () => {
    await using repo = await restingRepo()
    await bind(repo)
    await hooked(repo, agent, { at: 'after-tool', tool: 'Read', input: { file_path: 'src/a.ts' } })
    const own = [
      { ...write('src/a.ts'), does: () => repo.write('src/a.ts', 'one\n') },
      { ...bash('echo two > src/a.ts'), does: () => repo.write('src/a.ts', 'two\n') },
      { ...bash('npx prettier -w .'), does: () => repo.write('src/a.ts', 'three\n') },
      { ...bash('rm -r src'), does: () => repo.play('rm -r src') },
      { ...write('src/a.ts'), does: () => repo.write('src/a.ts', 'four\n') },
    ]
    for (const use of own)
      expect(await uses(repo, agent, use)).toMatchObject({ before: { kind: 'allowed' }, after: { kind: 'allowed' } })
    await repo.write('src/a.ts', 'by somebody else\n')
    expect((await asks(repo, agent, write('src/a.ts'))).refusal).toMatchObject({ error_type: 'stale-file' })
  })

  test('where nobody asked for governance, the hook says nothing', async () => {
    await using repo = await temporaryRepo({ 'src/a.ts': 'a\n' })
    for (const use of changing) expect(await asks(repo, agent, use)).toMatchObject({ kind: 'allowed', exit: 0 })
    for (const at of ['prompt', 'session-start', 'settings-change'] as const)
      expect(await hooked(repo, agent, { at })).toMatchObject({ kind: 'allowed', exit: 0 })
    await repo.play('rm -rf .git')
    expect(await asks(repo, agent, write('src/a.ts'))).toMatchObject({ kind: 'allowed', exit: 0 })
  })
})
