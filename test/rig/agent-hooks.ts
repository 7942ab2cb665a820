import { join } from 'node:path'
import { answerPayload } from '../../src/shells/cli/agent-hook.ts'
import { authorshipClaims } from '../../src/core/ledger/authorship-claims.ts'
import { readLedger } from '../../src/core/ledger/read-ledger.ts'
import type { TraceRecord } from '../../src/core/ledger/record.ts'
import { parseSessionUrl } from '../../src/core/ledger/session-url.ts'
import { disk } from '../../src/world/io/files/files.ts'
import { findSession, saveSession } from '../../src/world/intents/sessions/session-store.ts'
import { governedRepo } from './governed-repo.ts'
import type { Repo } from './repo.ts'
import type { ProgramResult } from './run-program.ts'

type Payload = Readonly<Record<string, unknown>>

/** Sends what an agent would send to its hook, which must not refuse it; it may tell the agent of its intent. */
export async function sendHook(repo: Repo, agent: string, payload: Payload): Promise<void> {
  const { code, stdout, stderr } = await runAgentHook(repo, agent, JSON.stringify(payload))
  const isFine = code === 0 && stderr === '' && CONTEXT.test(stdout)
  if (!isFine) throw new Error(`The hook ended with ${code}:\n${stderr}${stdout}`)
}

// Of Claude Code, and of any other agent.
const CONTEXT = /^(?:$|\{"hookSpecificOutput":\{"hookEventName":"\w+","additionalContext":|\{"status":"success",)/

/** Runs an agent's hook with anything on stdin, in a process of its own, as the agent does. */
export function spawnAgentHook(repo: Repo, agent: string, input: string | Buffer): Promise<ProgramResult> {
  return repo.run('kotef', ['agent-hook', agent], { input })
}

/** Runs an agent's hook in this process, where no promise is about the process: it takes a tenth of the CPU time. */
export async function runAgentHook(repo: Repo, agent: string, input: string | Buffer): Promise<ProgramResult> {
  const errors: string[] = []
  const call = { cwd: repo.root, notify: (line: string) => void errors.push(`${line}\n`) }
  const { text, exit = 0 } = await answerPayload(agent, input.toString(), call)
  return { code: exit, stdout: text === '' ? '' : `${text}\n`, stderr: errors.join('') }
}

/** Lets a session of an agent work on an intent, without asking who else does. */
async function bindAgentSession(repo: Repo, id: string): Promise<void> {
  const place = { gitDir: join(repo.root, '.git'), files: disk }
  if (await findSession(place, id)) return
  const at = new Date().toISOString()
  const session = { id, kind: 'agent', agent: 'claude', model: null, intent: 'INT-001', declared: false } as const
  await saveSession(place, {
    ...session,
    ...{ pid: null, host: 'here', claimedAt: at, heartbeatAt: at, baseCommit: null, endedAt: null },
  })
}

/** Claude Code in a session that selects INT-001 before it first uses a tool, as far as its hooks tell of it. */
export function claudeSession(repo: Repo, session: string, more: Payload = {}) {
  const base = { session_id: session, transcript_path: join(repo.base, 'transcript.jsonl'), cwd: repo.root, ...more }
  const say = (event: string, payload: Payload = {}) =>
    sendHook(repo, 'claude', { ...base, hook_event_name: event, ...payload })
  const write = (path: string) => ({ tool_name: 'Write', tool_input: { file_path: join(repo.root, path) } })
  const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
  return {
    say,
    /** About to write a file, and done with it. */
    willWrite: async (path: string) => {
      await bindAgentSession(repo, session)
      return say('PreToolUse', { ...write(path), tool_use_id: path })
    },
    hasWritten: (path: string, response?: Payload) =>
      say('PostToolUse', { ...write(path), tool_use_id: path, ...(response ? { tool_response: response } : {}) }),
    willRun: async (command: string) => {
      await bindAgentSession(repo, session)
      return say('PreToolUse', { ...bash(command), tool_use_id: command })
    },
    hasRun: (command: string) => say('PostToolUse', { ...bash(command), tool_use_id: command }),
  }
}

/** The records of the ledger as they are written by now. */
export async function ledgerRecords(repo: Repo): Promise<TraceRecord[]> {
  return readLedger(await repo.read('.orchestration/agent_trace.jsonl')).entries.map(it => it.record)
}

/** Whose each write is, in the order of the ledger: `<path> <attribution> <session> <model> <intent>`. */
export async function writeCredits(repo: Repo): Promise<string[]> {
  const records = await ledgerRecords(repo)
  const claims = authorshipClaims(records)
  return records.flatMap(({ id, files, metadata }) => {
    const own = metadata['dev.kotef']
    if (own.event !== 'write') return []
    const late = claims.get(id)
    return files.map(({ path, conversations: [it] }) => {
      const recorded = [own.attribution, parseSessionUrl(it?.url), it?.contributor.model_id, it?.related[0]?.value]
      const credit = late ? ['late', late.session, late.model, late.intent] : recorded
      return [path, ...credit.map(part => part ?? '-')].join(' ')
    })
  })
}

/** A repository in which a person works for INT-001, and no hook judges what is committed. */
export async function unhookedRepo(): Promise<Repo> {
  const repo = await governedRepo({ 'src/old': 'old\n', 'src/gone': 'gone\n', 'src/dir/in': 'in\n' })
  await repo.git('config', 'core.hooksPath', '/dev/null')
  return repo
}

/** The session of the person who started INT-001. */
export async function personSession(repo: Repo): Promise<string> {
  const [started] = (await ledgerRecords(repo)).flatMap(({ metadata: { 'dev.kotef': it } }) =>
    it.event === 'session-started' ? [it.session] : [],
  )
  return started ?? ''
}

/** The model of `claude-x`, as Agent Trace spells it. */
export const CLAUDE_MODEL = 'anthropic/claude-x'
