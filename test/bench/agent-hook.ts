import { join } from 'node:path'
import { selectIntent } from '../../src/world/lifecycle/select-intent.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { packedKotef } from '../rig/packed-kotef.ts'
import { spawnMcp } from '../rig/mcp-client.ts'
import type { Repo } from '../rig/repo.ts'
import { AGENT_PAYLOADS } from '../rig/agent-payloads.ts'
import { type Effort, progress, type Row, rowTable } from './row.ts'
import { costOf, quantile, shuffle } from './statistics.ts'
import { type Start, timedStart } from './timed-start.ts'
import { createBenchRepo, startWatchedRepo } from './watched-repo.ts'

const RATIO_MAX = 1.5
const HANDSHAKE_MS_MAX = 2_000

/** What it costs an agent to be governed: a judgement of each agent's hook, and all that comes before a write. */
export async function benchAgentHook(print: (text: string) => void, wish: { isQuick: boolean; isJson: boolean }) {
  const rows = await measureAgentHook({ isQuick: wish.isQuick, backend: null })
  print(wish.isJson ? JSON.stringify({ quick: wish.isQuick, rows }, null, 2) : rowTable(rows))
}

async function measureAgentHook(effort: Effort): Promise<Row[]> {
  await using repo = await createBenchRepo({ 'docs/a.md': 'a\n' }, effort)
  await using _watched = await startWatchedRepo(repo)
  const judged = await measureJudgements(repo, effort.isQuick ? 5 : 21)
  return [...judged, ...(await measureHandshakes(repo, effort.isQuick ? 3 : 9))]
}

async function measureJudgements(repo: Repo, rounds: number): Promise<Row[]> {
  await selectIntent(await openWorkspace(repo.root), { session: 's', agent: 'bench', model: null, intent: 'BENCH-1' })
  const empty = { name: 'empty', words: ['node', '-e', '0'], input: '', says: /^$/ }
  const starts = startsIn(repo, 0)
  const times = new Map([empty, ...starts].map(it => [it.name, [] as number[]]))
  // The round before the first warms the caches.
  for (let round = -1; round < rounds; round++) {
    process.stderr.write(`\r  judgements, round ${round + 1} of ${rounds}`)
    for (const it of shuffle([empty, ...startsIn(repo, round)])) {
      const ms = timedStart(repo, it)
      if (round >= 0) times.get(it.name)?.push(ms)
    }
  }
  process.stderr.write('\n')
  const bare = times.get('empty') ?? []
  return starts.map(({ name }) => {
    const { ratio, ms } = costOf(times.get(name) ?? [], bare)
    const result = `${ratio.toFixed(2)}x of an empty Node (${ms.toFixed(0)} ms, ${quantile(bare, 0.5).toFixed(0)} ms)`
    return { measure: name, result, goal: `at most ${RATIO_MAX}x`, met: ratio <= RATIO_MAX }
  })
}

/**
 * Each agent is refused a write; Claude Code is also let read, write and run something. The path is another one each
 * time: the same refusal again and again ends the run.
 */
function startsIn(repo: Repo, round: number): Start[] {
  const hook = (agent: string) => ['node', join(packedKotef().root, 'dist/main.cjs'), 'agent-hook', agent]
  const refused = /Scope Violation/
  const claude = (tool_name: string, tool_input: object) =>
    JSON.stringify({ session_id: 's', cwd: repo.root, hook_event_name: 'PreToolUse', tool_name, tool_input })
  const generic = { event: 'before-tool', session: 's', tool: 'write', input: { path: `docs/g-${round}.md` } }
  const one = (name: string, input: string, says: RegExp) => ({ name, words: hook('claude'), input, says })
  return [
    one('refused write, claude', claude('Write', { file_path: `docs/c-${round}.md` }), refused),
    ...AGENT_PAYLOADS.map(it => ({
      ...{ name: `refused write, ${it.agent}`, words: hook(it.agent), says: refused },
      input: JSON.stringify(it.before(`docs/${it.agent}-${round}.md`, repo)),
    })),
    { name: 'refused write, generic', words: hook('generic'), input: JSON.stringify(generic), says: refused },
    one('read, claude', claude('Read', { file_path: 'docs/a.md' }), /^$/),
    one('refused command, claude', claude('Bash', { command: `cd docs && sed -i s/a/b/ a-${round}.md` }), refused),
    one('allowed write, claude', claude('Write', { file_path: 'bench/a.md' }), /^$/),
  ]
}

/** A server starts, a session selects its intent, and its first write is allowed; then it is over. */
async function measureHandshakes(repo: Repo, rounds: number): Promise<Row[]> {
  const [answers, wholes]: [number[], number[]] = [[], []]
  await endSession(repo, 's')
  for (let round = -1; round < rounds; round++) {
    progress(`handshake, round ${round + 1} of ${rounds}`)
    const session = `handshake-${round + 1}`
    const from = performance.now()
    await using mcp = await spawnMcp(repo, { env: { KOTEF_SESSION: session } })
    await mcp.tools()
    const answered = performance.now()
    const { isError, text } = await mcp.call('select_active_intent', { intent_id: 'BENCH-1' })
    if (isError) throw new Error(text)
    const write = { session_id: session, cwd: repo.root, hook_event_name: 'PreToolUse', tool_name: 'Write' }
    const input = JSON.stringify({ ...write, tool_input: { file_path: 'bench/first.md' } })
    timedStart(repo, { name: 'the first write', words: ['kotef', 'agent-hook', 'claude'], input, says: /^$/ })
    const whole = performance.now() - from
    if (round >= 0) {
      answers.push(answered - from)
      wholes.push(whole)
    }
    await endSession(repo, session)
  }
  const row = (measure: string, values: readonly number[]): Row => {
    const ms = quantile(values, 0.5)
    return { measure, result: `${ms.toFixed(0)} ms p50`, goal: 'at most 2 s', met: ms <= HANDSHAKE_MS_MAX }
  }
  return [row('MCP server, start to first answer', answers), row('start, select, first allowed write', wholes)]
}

async function endSession(repo: Repo, session_id: string): Promise<void> {
  const input = JSON.stringify({ session_id, cwd: repo.root, hook_event_name: 'SessionEnd' })
  await repo.run('kotef', ['agent-hook', 'claude'], { input })
}
