import { dirname, join } from 'node:path'
import { type Author, whoWrote } from '../attribution/who.ts'
import type { Attribution } from '../ledger/event.ts'
import type { Credit } from '../ledger/traced-file.ts'
import { judgePath } from '../scope/judge-path.ts'
import type { Policy, Verdict } from '../scope/policy.ts'
import { liveSessions } from '../workspace/sessions.ts'
import { openWindows } from '../workspace/windows.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { movedAt } from './git-activity.ts'
import type { Write } from './look.ts'

/** Who may have written what, by the sessions, the agents' windows and the policy of this moment. */
export type Witnesses = {
  credit(write: Written): Promise<Credit & { readonly attribution: Attribution }>
  /** What the policy says of a path, for the intent of the session that was credited with a write there. */
  verdict(path: string, creditedAs: string): { readonly verdict: Verdict; readonly intent: string | null }
}

type Written = Pick<Write, 'path' | 'before' | 'standing' | 'looked'>

/** Gathers who may have written, and judges by a policy; without one nobody can say what was allowed. */
export async function loadWitnesses(workspace: Workspace, known: Policy | null): Promise<Witnesses> {
  const [sessions, windows] = await Promise.all([liveSessions(workspace), openWindows(workspace)])
  const policy = known ?? NOTHING
  const judge = judgePath(policy)
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  const verdictOf = (intent: string | null, path: string) => judge(scopes.get(intent ?? '') ?? [], path)
  const authors = new Map<string, Author>()
  return {
    async credit(write) {
      const { path } = write
      const at = windows.length > 0 ? await timeOf(workspace, write) : write.looked.at
      const author = whoWrote({ sessions, windows }, { path, at }, it => verdictOf(it, path).kind === 'owned')
      authors.set(path, author)
      const { session, intent, contributor, attribution } = author
      return { session, intent, contributor, attribution }
    },
    verdict(path, creditedAs) {
      const { intent = null, bound = null } = authors.get(creditedAs) ?? {}
      const judged = known ? (intent ?? bound ?? sessions[0]?.intent ?? null) : null
      return { verdict: verdictOf(judged, path), intent: judged }
    },
  }
}

const NOTHING: Policy = { intents: [], governance: [], forbidden: [], intentignore: [] }

// Nobody can set the time at which a file last changed. One that came with its folder has another one's time, and one
// that is gone has left it to its folder.
async function timeOf(workspace: Workspace, { path, before, standing, looked }: Written): Promise<number> {
  if (!standing) return leftAt(workspace, path, looked.at)
  const { changedAt } = standing
  return (before === null ? await movedAt(workspace, path, changedAt) : null) ?? changedAt
}

async function leftAt({ root, files }: Workspace, path: string, otherwise: number): Promise<number> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const modified = await files.modifiedAt(join(root, folder))
    if (modified !== null || folder === '.') return modified ?? otherwise
  }
}
