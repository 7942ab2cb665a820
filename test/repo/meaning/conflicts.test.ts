import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findConflicts } from '../../../src/world/code/conflicts/find-conflicts.ts'
import { livePlaces, mayOthersHaveWritten } from '../../../src/world/code/conflicts/live-places.ts'
import { conflictLine } from '../../../src/core/report/conflict-lines.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { runAgentHook } from '../../rig/agent-hooks.ts'
import { fixture } from '../../rig/fixture.ts'
import { startWatching } from '../../rig/governed-repo.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: one, status: PENDING, owned_scope: ["src/**"] }
  - { id: INT-002, name: two, status: PENDING, owned_scope: ["src/**"] }
`
const body = (name: string, text: string) => `export function ${name}() {\n  return '${text}'\n}\n`
const source = (texts: Readonly<Record<string, string>>) =>
  ['f', 'g', 'h'].map(it => body(it, texts[it] ?? it)).join('\n')

const template = fixture(async () => {
  const repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.write('src/code.ts', source({}))
  await repo.write('src/other.ts', source({}))
  await repo.git('add', '--all')
  await repo.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'code')
  return repo
})

/** An agent with a session in a worktree; `writes` sends the hooks around a write, and returns what it is told. */
async function agentIn(repo: Repo, root: string, { session, intent }: { session: string; intent: string }) {
  const here = { ...repo, root }
  await runCliOrThrow(here, 'select', intent, '--session', session, '--agent', 'claude')
  const base = { session_id: session, transcript_path: join(repo.base, 'transcript.jsonl'), cwd: root }
  const say = async (event: string, more: object = {}) => {
    const { code, stdout, stderr } = await runAgentHook(
      here,
      'claude',
      JSON.stringify({ ...base, hook_event_name: event, ...more }),
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const context: string = stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? stdout)
    return context
  }
  return {
    root,
    say,
    async writes(path: string, text: string): Promise<string> {
      const file = join(root, path)
      const use = { tool_name: 'Write', tool_input: { file_path: file, content: text }, tool_use_id: `${path} ${text}` }
      await say('PostToolUse', { tool_name: 'Read', tool_input: { file_path: file }, tool_use_id: `read ${text}` })
      expect(await say('PreToolUse', use)).toBe('')
      await repo.write(path, text)
      return say('PostToolUse', use)
    },
  }
}

async function twoAgents(repo: Repo) {
  const second = join(repo.root, '../second')
  await repo.git('worktree', 'add', '-q', '-b', 'second', second)
  const there = { ...repo, write: (path: string, text: string | Buffer) => repo.write(`../second/${path}`, text) }
  return {
    second,
    one: await agentIn(repo, repo.root, { session: 's-one', intent: 'INT-001' }),
    two: await agentIn(there, second, {
      session: 's-two',
      intent: 'INT-002',
    }),
  }
}

test('two agents that change one function in two worktrees are both told of it', async () => {
  await using repo = await copyGoverned(template())
  const { one, two, second } = await twoAgents(repo)
  expect(await one.writes('src/code.ts', source({ g: 'one' }))).toBe('')
  expect(await two.writes('src/code.ts', source({ f: 'two' }))).toBe('')
  const reported = await two.writes('src/code.ts', source({ f: 'two', g: 'two' }))
  expect(reported).toContain(
    `src/code.ts: function g is being changed for INT-001 (claude, session s-one, in ${repo.root}) as well`,
  )
  expect(reported).not.toContain('function f')
  // Each conflict once.
  expect(await two.writes('src/code.ts', source({ f: 'two', g: 'three' }))).toBe('')
  const context = await one.say('UserPromptSubmit', { prompt: 'go on' })
  expect(context).toContain(
    [
      '<conflict path="src/code.ts" also_changed_for="INT-002" session="s-two" by="claude" ',
      `worktree="${second}">function g</conflict>`,
    ].join(''),
  )
  const status = await runCliOrThrow(repo, 'status')
  expect(status).toContain(
    `conflict src/code.ts: function g is being changed for INT-002 (claude, session s-two, in ${second}) as well`,
  )
})

const conflicts = async (root: string) => (await findConflicts(await openWorkspace(root), {})).map(conflictLine)

test.each<[title: string, end: (repo: Repo, second: string) => Promise<unknown>]>([
  ['the other session has ended', (repo, root) => runCliOrThrow({ ...repo, root }, 'session', 'end', 's-two')],
  ['the change is undone', (repo, second) => repo.run('git', ['checkout', '-q', 'src/code.ts'], { cwd: second })],
  [
    'the change is committed',
    (repo, second) => repo.run('git', ['-c', 'core.hooksPath=/dev/null', 'commit', '-qam', 'two'], { cwd: second }),
  ],
])('there is no conflict any more when %s', async (_, end) => {
  await using repo = await copyGoverned(template())
  const { one, two, second } = await twoAgents(repo)
  await one.writes('src/code.ts', source({ g: 'one' }))
  await two.writes('src/code.ts', source({ g: 'two' }))
  expect(await conflicts(repo.root)).toHaveLength(1)
  await end(repo, second)
  expect(await conflicts(repo.root)).toEqual([])
})

test('two intents in one worktree conflict in the lines of each, also after lines have moved', async () => {
  await using repo = await copyGoverned(template())
  const one = await agentIn(repo, repo.root, { session: 's-one', intent: 'INT-001' })
  const two = await agentIn(repo, repo.root, { session: 's-two', intent: 'INT-002' })
  const text = (texts: Readonly<Record<string, string>>) => `// a\n// b\n${source(texts)}`
  await one.writes('src/code.ts', source({ h: 'one' }))
  expect(await two.writes('src/code.ts', text({ h: 'one', f: 'two' }))).toBe('')
  expect(await two.writes('src/code.ts', text({ h: 'two', f: 'two' }))).toContain(
    'function h is being changed for INT-001 (claude, session s-one, in this worktree) as well',
  )
  const reported = await one.writes('src/code.ts', text({ h: 'two', f: 'one' }))
  expect(reported).toContain('function f is being changed for INT-002')
})

test('where nobody else has written the path, no ledger is parsed', async () => {
  await using repo = await copyGoverned(template())
  const { one, two } = await twoAgents(repo)
  await one.writes('src/code.ts', source({ g: 'one' }))
  await two.writes('src/other.ts', source({ g: 'two' }))
  const places = await livePlaces(await openWorkspace(repo.root))
  expect(places.map(it => it.session)).toEqual(['s-one', 's-two'])
  expect(await mayOthersHaveWritten(places, 'INT-001', ['src/code.ts', 'src/othe'])).toBe(false)
  expect(await mayOthersHaveWritten(places, 'INT-001', ['src/other.ts'])).toBe(true)
  expect(await conflicts(repo.root)).toEqual([])
})

test('kotef-watch prints the conflict', async () => {
  await using repo = await copyGoverned(template())
  const { one, two, second } = await twoAgents(repo)
  await one.writes('src/code.ts', source({ g: 'one' }))
  const watch = repo.start('kotef-watch', [], { cwd: second })
  await watch.line(/is watching/)
  await two.writes('src/code.ts', source({ g: 'two' }))
  expect(await watch.line(/^conflict: /)).toContain('function g is being changed for INT-001')
  watch.signal('SIGINT')
  await watch.ended
})

test('a file that no grammar reads has no conflict', async () => {
  await using repo = await copyGoverned(template())
  const { one, two } = await twoAgents(repo)
  await using _daemon = await startWatching(repo)
  await one.writes('src/text.txt', 'one\n')
  expect(await two.writes('src/text.txt', 'two\n')).toBe('')
})
