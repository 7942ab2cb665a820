import { dirname, join } from 'node:path'
import { type Author, authorOfWrite } from '../../../core/authorship/author.ts'
import type { Attribution, Doubt } from '../../../core/ledger/event.ts'
import type { Credit } from '../../../core/ledger/traced-file.ts'
import { type HandoverRole, handoverRole } from '../../../core/handover/port.ts'
import { intentsOwning, standingIntents, workIntents } from '../../../core/rules/commit-facts.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import type { Session } from '../../../core/intents/session.ts'
import { type PathVerdict, type Policy, policyForAgents } from '../../../core/intents/scope/policy.ts'
import { allReport } from './git-settings.ts'
import { liveSessions } from '../../intents/sessions/live-sessions.ts'
import { hasEndedAgents } from '../agent-activity/ended-agents.ts'
import { readWindows } from '../agent-activity/windows.ts'
import { isIdleAt, joinWindows, type ToolWindow } from '../../../core/authorship/tool-window.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { folderMovedAt } from '../git-evidence/git-evidence.ts'
import type { Write } from './inspect.ts'

/** Who may have written what, by the sessions, the agents' windows and the policy of this moment. */
export type AuthorLookup = {
  authorOf(write: AuthoredWrite): Promise<WriteCredit>
  /** The same for a path that got its content at a time in milliseconds since 1970; no later session counts. */
  authorAt(path: string, at: number): Promise<WriteCredit>
  /** What the policy says of a path, for the intent of the session that was credited with a write there. */
  verdict(path: string, creditedAs: string): { readonly verdict: PathVerdict; readonly intent: string | null }
  /** Whether a person was credited with a write there, and no agent. */
  isPersons(path: string): boolean
  /** The role in a handover of that session; null without one. */
  roleAt(creditedAs: string): HandoverRole | null
}

type WriteCredit = Credit & {
  readonly attribution: Attribution
  readonly doubt?: Doubt
  readonly agents?: 'idle'
  readonly handover?: HandoverRole
}

type CreditTerms = { readonly isWritten: boolean; readonly live: readonly Session[] }

type AuthoredWrite = Pick<Write, 'path' | 'before' | 'file' | 'observedAt'>

/**
 * Gathers who may have written, and judges by a policy; without one nobody can say what was allowed. The windows are
 * those of now, and earlier ones that the caller has seen.
 */
export async function loadAuthors(
  workspace: Workspace,
  policyKnown: Policy | null,
  seen: readonly ToolWindow[] = [],
): Promise<AuthorLookup> {
  const [sessions, now] = await Promise.all([liveSessions(workspace), readWindows(workspace)])
  const windows = joinWindows(seen, now)
  const policy = policyKnown ?? EMPTY_POLICY
  const judge = judgePath(policy)
  const judgeForAgents = judgePath(policyForAgents(policy))
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  const intents = new Map(policy.intents.map(it => [it.id, it]))
  const owns = (intent: string | null, path: string) => judge(scopes.get(intent ?? '') ?? [], path).kind === 'owned'
  const verdictOf = (intent: string | null, path: string) => judge(intents.get(intent ?? '') ?? [], path)
  const standing = standingIntents(policy)
  const byPath = new Map<string, Author>()
  const roleAt = (path: string) => handoverRole(sessions.find(it => it.id === byPath.get(path)?.session)?.handover)
  const credit = async (path: string, at: number, { isWritten, live }: CreditTerms): Promise<WriteCredit> => {
    const author = authorOfWrite({ sessions: live, windows }, { path, at }, it => owns(it, path))
    byPath.set(path, author)
    const { session, intent, contributor, attribution, doubt } = author
    const isGovernance = isWritten && judgeForAgents([], path).kind === 'governance'
    const idle = isGovernance && isIdleAt(windows, at) && (await reportEachCall(workspace, sessions))
    const handover = roleAt(path)
    const facts = { ...(doubt && { doubt }), ...(idle && { agents: 'idle' as const }), ...(handover && { handover }) }
    return { session, intent, contributor, attribution, ...facts }
  }
  return {
    authorAt: (path, at) =>
      credit(path, at, { isWritten: true, live: sessions.filter(it => Date.parse(it.claimedAt) <= at) }),
    async authorOf(write) {
      const at = windows.length > 0 ? await writtenAt(workspace, write) : write.observedAt.at
      return credit(write.path, at, { isWritten: write.file !== null, live: sessions })
    },
    roleAt,
    isPersons: path => byPath.get(path)?.contributor.type === 'human',
    verdict(path, creditedAs) {
      const { intent = null, sessionIntent = null, contributor } = byPath.get(creditedAs) ?? {}
      // Where nothing says for which intent it was written, and an open one owns it, no session is accused of it.
      const isNobodys = contributor?.type === 'unknown' && intentsOwning(path, workIntents(policy), judge).length > 0
      const first = isNobodys ? null : (sessions[0]?.intent ?? null)
      const judged = policyKnown ? (intent ?? sessionIntent ?? first) : null
      const verdict = verdictOf(judged, path)
      const isPersons = contributor?.type === 'human' || sessions.every(it => it.kind === 'person')
      const isOutside = ['outside', 'excluded', 'constraint'].includes(verdict.kind)
      const serving = isPersons && isOutside ? intentsOwning(path, standing, judge)[0] : undefined
      return serving ? { verdict: verdictOf(serving.id, path), intent: serving.id } : { verdict, intent: judged }
    },
  }
}

/** True where each agent with a session reports its tool calls, and none has ended without a word. */
async function reportEachCall(workspace: Workspace, sessions: readonly Session[]): Promise<boolean> {
  const agents = sessions.filter(it => it.kind === 'agent')
  return !(await hasEndedAgents(workspace, sessions)) && (await allReport(workspace, agents))
}

const EMPTY_POLICY: Policy = { intents: [], governance: [], forbidden: [], intentignore: [] }

// Nobody can set the time at which a file last changed. One that came with its folder has another one's time, and one
// that is gone has left it to its folder.
async function writtenAt(workspace: Workspace, { path, before, file, observedAt }: AuthoredWrite): Promise<number> {
  if (!file) return removedAt(workspace, path, observedAt.at)
  const { changedAt } = file
  return (before === null ? await folderMovedAt(workspace, path, changedAt) : null) ?? changedAt
}

async function removedAt({ root, files }: Workspace, path: string, otherwise: number): Promise<number> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const modified = await files.modifiedAt(join(root, folder))
    if (modified !== null || folder === '.') return modified ?? otherwise
  }
}
