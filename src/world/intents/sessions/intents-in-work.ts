import type { GitQuery } from '../../../core/git/query.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import { isOpen, withLiveStatuses } from '../../../core/intents/lifecycle.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { listClaimRefs } from './claim-refs.ts'
import { liveSessions } from './live-sessions.ts'

/** The intents with their live statuses: IN_PROGRESS when a claim or session holds one, or commits of HEAD cite it. */
export async function intentsWithLiveStatus<T extends Pick<Intent, 'id' | 'status' | 'created_at'>>(
  workspace: Workspace,
  intents: readonly T[],
): Promise<T[]> {
  const open = intents.filter(it => isOpen(it.status))
  if (open.length === 0) return [...intents]
  const held = [...(await listClaimRefs(workspace)), ...(await liveSessions(workspace))].map(it => it.intent)
  const inWork = new Set(held)
  if (open.some(it => !inWork.has(it.id)))
    for (const id of (await workspace.git.tryAsk(citedSince(oldest(open)))) ?? []) inWork.add(id)
  return withLiveStatuses(intents, inWork)
}

// No commit cites an intent before it is there, so the history from before the oldest open one is not read.
function oldest(intents: readonly Pick<Intent, 'created_at'>[]): string | null {
  const times = intents.map(it => it.created_at)
  return times.includes(null) ? null : (times.toSorted()[0] ?? null)
}

function citedSince(time: string | null): GitQuery<string[]> {
  const format = '--format=%(trailers:key=Intent-ID,valueonly,unfold)'
  const since = time === null ? [] : [`--since=${time}`]
  return {
    args: ['log', format, ...since, '--end-of-options', 'HEAD', '--'],
    parse: out => out.split('\n').filter(Boolean),
  }
}
