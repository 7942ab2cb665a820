import type { Session } from '../intents/session.ts'
import { worktreeStatus } from '../diff/status.ts'
import type { Status } from '../report/status.ts'
import { toKotefError } from '../report/failure.ts'
import { askDaemon, flushDaemon, readAddress } from '../workspace/daemon-address.ts'
import { judgeHistory } from '../workspace/history.ts'
import { hooksProblem } from '../workspace/hooks-in-force.ts'
import { loadMemory, untracedIn } from './memory.ts'
import { claimStandings } from '../workspace/claims.ts'
import { loadConfig, loadPolicy } from '../workspace/policy.ts'
import { strayPaths } from './reconcile.ts'
import { headOid } from '../diff/head-oid.ts'
import { readHead } from '../workspace/record.ts'
import { liveSessions } from '../workspace/sessions.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { judgePath } from '../scope/judge-path.ts'
import type { Policy } from '../scope/policy.ts'

/** Everything that can be said of a worktree at this moment. `wanted` is the session that the caller says it is. */
export async function standingOf(workspace: Workspace, wanted: string | null): Promise<Status> {
  const problems: string[] = []
  const note = (thrown: unknown): null => {
    problems.push(toKotefError(thrown).message)
    return null
  }
  if (!(await flushDaemon(workspace, FLUSH_MS).catch(note))) await judgeHistory(workspace).catch(note)
  const policy = await loadPolicy(workspace).catch(note)
  const unhooked = await hooksProblem(workspace).catch(note)
  const sessions = await liveSessions(workspace)
  const session = sessions.find(it => it.id === wanted) ?? sessions[0] ?? null
  const head = await readHead(workspace)
  return {
    root: workspace.root,
    head: await workspace.git.tryAsk(headOid),
    intent: policy?.intents.find(it => it.id === session?.intent) ?? null,
    session,
    claim: session ? await claimOf(workspace, session).catch(note) : null,
    daemon: await daemonOf(workspace),
    ledger: { records: (head?.seq ?? -1) + 1, head: head?.hash ?? null },
    untraced: (await untracedOf(workspace)).sort(),
    outOfScope: policy ? (await outOfScope(workspace, policy, session)).sort() : [],
    problems: [...new Set([...problems, ...(unhooked === null ? [] : [unhooked])])],
  }
}

async function claimOf(workspace: Workspace, { intent }: Session): Promise<Status['claim']> {
  const claims = await claimStandings(workspace, await loadConfig(workspace))
  return claims.find(it => it.intent === intent) ?? null
}

const FLUSH_MS = 10_000

async function daemonOf(workspace: Workspace): Promise<Status['daemon']> {
  const address = await readAddress(workspace)
  const answers = await askDaemon(workspace, { ask: 'status' })
  if (!answers || !address) return { running: false }
  await answers.return(undefined)
  return { running: true, pid: address.pid, since: address.since }
}

async function untracedOf(workspace: Workspace): Promise<string[]> {
  const answers = await askDaemon(workspace, { ask: 'status' })
  if (answers) {
    const { value } = (await answers.next()) as { value?: { untraced?: string[] } }
    await answers.return(undefined)
    return value?.untraced ?? []
  }
  const last = await loadMemory(workspace)
  if (!last) return dirtyPaths(workspace)
  return [...new Set([...(await strayPaths(workspace, last.memory)), ...untracedIn(last.memory)])]
}

/** Changed paths that the session's intent does not own; without a session, those that nobody may touch. */
async function outOfScope(workspace: Workspace, policy: Policy, session: Session | null): Promise<string[]> {
  const judge = judgePath(policy)
  const scope = policy.intents.find(it => it.id === session?.intent)?.owned_scope ?? []
  const wrong = session
    ? ['outside', 'excluded', 'forbidden', 'ignored', 'malformed']
    : ['forbidden', 'ignored', 'malformed']
  return (await dirtyPaths(workspace)).filter(path => wrong.includes(judge(scope, path).kind))
}

async function dirtyPaths(workspace: Workspace): Promise<string[]> {
  return (await workspace.git.ask(worktreeStatus)).map(it => it.path)
}
