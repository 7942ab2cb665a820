import { type Author, whoWrote } from '../attribution/who.ts'
import type { Attribution } from '../ledger/event.ts'
import type { Credit } from '../ledger/traced-file.ts'
import { judgePath } from '../scope/judge-path.ts'
import type { Policy, Verdict } from '../scope/policy.ts'
import { liveSessions } from '../workspace/sessions.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Who may have written what, by the sessions and the policy of this moment. */
export type Witnesses = {
  credit(path: string): Credit & { readonly attribution: Attribution }
  /** What the policy says of a path, for the intent of the session that wrote it (or, of several, the first). */
  verdict(path: string): { readonly verdict: Verdict; readonly intent: string | null }
}

/** Gathers the sessions that live now, and judges by a policy; without one nobody can say what was allowed. */
export async function loadWitnesses(workspace: Workspace, known: Policy | null): Promise<Witnesses> {
  const sessions = await liveSessions(workspace)
  const policy = known ?? NOTHING
  const judge = judgePath(policy)
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  const verdictOf = (intent: string | null, path: string) => judge(scopes.get(intent ?? '') ?? [], path)
  const authorOf = (path: string): Author => whoWrote(sessions, intent => verdictOf(intent, path).kind === 'owned')
  return {
    credit(path) {
      const { session, intent, contributor, attribution } = authorOf(path)
      return { session: session?.id ?? null, intent, contributor, attribution }
    },
    verdict(path) {
      const { session, intent } = authorOf(path)
      const judged = known ? (intent ?? session?.intent ?? sessions[0]?.intent ?? null) : null
      return { verdict: verdictOf(judged, path), intent: judged }
    },
  }
}

const NOTHING: Policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
