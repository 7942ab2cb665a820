import { sessionOfPath } from '../../core/handover/port.ts'
import { ALWAYS_COMMITTABLE } from '../../core/base/governance-files.ts'
import { printable } from '../../core/base/printable.ts'
import { constraintWords } from '../../core/intents/contract/enforced-constraints.ts'
import type { PathVerdict, Policy } from '../../core/intents/scope/policy.ts'
import { type Ownership, ownershipOf } from '../../core/intents/scope/judge-path.ts'
import { loadPolicy, loadRegistry } from '../../world/intents/policy/load-policy.ts'
import { sessionIntents } from '../../core/intents/session.ts'
import type { IntentStatus } from '../../core/intents/intent.ts'
import { widenHint } from '../../core/rules/widen-scope.ts'
import { intentsWithLiveStatus } from '../../world/intents/sessions/intents-in-work.ts'
import { liveSessions } from '../../world/intents/sessions/live-sessions.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { resolveFile, repositoryPath } from './repository-path.ts'
import type { RunVerb } from './verb.ts'

type PathOwnership = {
  readonly path: string
  readonly owners: readonly string[]
  readonly claims: readonly Ownership[]
}

/** `kotef scope`: the intents that own a path, each with its glob, or why no intent owns it. */
export const run: RunVerb = async ({ cwd, args }) => {
  const workspace = await openWorkspace(cwd)
  const policy = await loadPolicy(workspace)
  const named = Array.isArray(args[0]) ? args[0].map(String) : []
  const paths = await Promise.all(named.map(async it => repositoryPath(workspace.root, await resolveFile(cwd, it))))
  // The root itself, and paths outside of the worktree, stay as they are: the policy calls them malformed.
  const intents = await intentsWithLiveStatus(workspace, (await loadRegistry(workspace)).intents)
  const statuses = new Map(intents.map(it => [it.id, it.status]))
  const answers = paths.map(path => pathOwnership(policy, path, statuses))
  const live = sessionIntents(await liveSessions(workspace))
  const wayOut = (path: string): string => `  To change that, ${widenHint(path, live, policy)}`
  return { text: answers.flatMap(it => ownershipLines(it, wayOut)).join('\n'), json: { paths: answers } }
}

function pathOwnership(policy: Policy, path: string, statuses: ReadonlyMap<string, IntentStatus>): PathOwnership {
  const claims = ownershipOf(policy, path).map(it => ({ ...it, status: statuses.get(it.id) ?? it.status }))
  return { path, owners: claims.filter(it => it.verdict.kind === 'owned').map(it => it.id), claims }
}

function ownershipLines({ path, claims }: PathOwnership, wayOut: (path: string) => string): string[] {
  const own = claims.filter(it => ['owned', 'excluded', 'constraint'].includes(it.verdict.kind))
  const shared = claims.map(it => it.verdict).find(it => it.kind !== 'outside')
  if (own.length > 0) return [printable(path), ...own.map(it => `  ${it.id}  ${it.status}  ${verdictText(it.verdict)}`)]
  if (shared) return [printable(path), `  no owner: ${verdictText(shared)}`]
  if (sessionOfPath(path)) return [printable(path), '  no owner: a file of a handover, which needs no intent']
  if (ALWAYS_COMMITTABLE.includes(path)) return [path, '  no owner: a commit for any intent may contain it']
  return [printable(path), '  no owner: outside every intent', wayOut(path)]
}

function verdictText(verdict: PathVerdict): string {
  switch (verdict.kind) {
    case 'owned':
      return `owns it by ${verdict.by}`
    case 'excluded':
      return `excludes it by ${verdict.by}`
    case 'governance':
      return `a governance file (${verdict.by}); it changes in commits of its own`
    case 'forbidden':
      return `forbidden for every intent by ${verdict.by} in .sdd/KOTEF.md`
    case 'constraint':
      return `closed: ${constraintWords(verdict.constraint)}`
    case 'ignored':
      return `forbidden for every intent by ${verdict.by} in .intentignore`
    case 'malformed':
      return `no scope can name it, because ${verdict.why}`
    case 'outside':
      return 'outside every intent'
  }
}
