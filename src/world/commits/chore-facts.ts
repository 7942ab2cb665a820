import { changedLines, changedLinesByCommit, type PathChange, parseChangedLines } from '../../core/git/changes.ts'
import { type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import { gather } from '../io/git/gather.ts'
import { surelyWrittenByAgents, writtenByAgents } from '../../core/ledger/written-intents.ts'
import { intentsOwning, type StagedFacts, standingIntents } from '../../core/rules/commit-facts.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import type { Policy } from '../../core/intents/scope/policy.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { amendsHead } from './intent-sources.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'

type StagedPlace = Parameters<typeof readLedgerEnd>[0] & {
  /** What shows that the staged paths amend HEAD: then they count together with what HEAD changes. */
  readonly amending?: Pick<Parameters<typeof amendsHead>[0], 'author' | 'now'>
  /** True where a person commits, and is believed in doubt. */
  readonly isPersons: () => boolean
}

type Chores = Pick<StagedFacts, 'chores'>

/** What is known of the staged paths that a standing intent owns; nothing when there is none. */
export function* gatherChoreFacts(
  { amending, isPersons, ...place }: StagedPlace,
  { changes, policy }: { readonly changes: readonly PathChange[]; readonly policy: Policy },
): Gatherer<Chores> {
  const own = choresAmong(changes, policy)
  if (own.length === 0) return {}
  const since = amending && (yield* amendsHead({ ...amending, changes })) ? 'HEAD^' : 'HEAD'
  const paths = own.map(it => it.path)
  const lines = yield* tryAskGit(changedLines(paths, since))
  if (!lines) return {}
  const ledgerEnd = yield* readLedgerEnd(place)
  const byAgents = surelyWrittenByAgents(ledgerEnd, own)
  const perhapsByAgents = writtenByAgents(ledgerEnd, own).filter(it => !byAgents.includes(it))
  return { chores: { lines, byAgents, ...(perhapsByAgents.length > 0 && !isPersons() && { perhapsByAgents }) } }
}

/**
 * The same for commits that are made: only one that cites a standing intent has a limit. Git is asked once for all that
 * cite those of the first one, and the ledger is read once.
 */
export function choreLookup(workspace: Workspace, commits: readonly Commit[]) {
  let counting: Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> | null = null
  let reading: Promise<string> | null = null
  return async (commit: Commit, changes: readonly PathChange[], policies: readonly (Policy | null)[]) => {
    const citing = policies.find(it => it && citesStanding(commit, it))
    const own = citing ? choresAmong(changes, citing) : []
    if (!citing || own.length === 0) return {}
    counting ??= changedLinesOf(
      workspace,
      commits.filter(it => citesStanding(it, citing)),
    )
    const lines =
      (await counting).get(commit.oid) ?? (await changedLinesOf(workspace, [commit])).get(commit.oid) ?? new Map()
    reading ??= gather(workspace, readLedgerEnd(workspace))
    // Where the committer was at a terminal, the hook believed a person.
    return { chores: { lines, byAgents: surelyWrittenByAgents(await reading, own) } } satisfies Chores
  }
}

function citesStanding({ cited }: Commit, policy: Policy): boolean {
  return standingIntents(policy).some(it => cited.includes(it.id))
}

/** The lines that commits add and remove against their first parents, by commit and path. */
export async function changedLinesOf({ git }: Pick<Workspace, 'git'>, commits: readonly Commit[]) {
  let out = ''
  const input = commits.map(it => `${it.oid}\n`).join('')
  for await (const chunk of git.streamWithInput(changedLinesByCommit, { input })) out += chunk.toString('utf8')
  return parseChangedLines(out)
}

function choresAmong(changes: readonly PathChange[], policy: Policy): PathChange[] {
  const standing = standingIntents(policy)
  if (standing.length === 0) return []
  const judge = judgePath(policy)
  return changes.filter(it => intentsOwning(it.path, standing, judge).length > 0)
}
