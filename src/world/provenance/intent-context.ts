import { join } from 'node:path'
import type {
  ContextFacts,
  HistoryEntry,
  ListedIntent,
  SelectableIntent,
  SelectionState,
  TouchedFile,
} from '../../core/agents/context/facts.ts'
import { pastChecks, pastRuns } from '../../core/agents/context/past-attempts.ts'
import { savedRuns } from '../runs/run-store.ts'
import { findConflicts } from '../code/conflicts/find-conflicts.ts'
import { constraintsIn } from '../../core/intents/contract/constraint-lines.ts'
import { withTicketCriteria } from '../../core/intents/contract/ticket.ts'
import { ticketOf } from '../intents/registry/intent-ticket.ts'
import { lessonsFor, lessonsIn } from '../../core/agents/context/lessons.ts'
import { promptSection } from '../../core/agents/context/context-text.ts'
import { handoverRole } from '../../core/handover/port.ts'
import { findIntent } from '../../core/intents/intent.ts'
import type { Session } from '../../core/intents/session.ts'
import { selectionRefusal } from '../../core/intents/lifecycle.ts'
import { loadConfig, loadPolicy, loadRegistry } from '../intents/policy/load-policy.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { commitLog, type LoggedCommit } from '../../core/git/log.ts'
import { isWithin, realPathOf } from '../io/files/real-path.ts'
import { readFileState } from '../io/files/file-state.ts'
import { type AuthorshipClaim, authorshipClaims, creditOfClaim } from '../../core/ledger/authorship-claims.ts'
import type { MutationClass } from '../../core/ledger/mutation-class.ts'
import { classNames, notedClasses } from '../../core/ledger/noted-classes.ts'
import type { Contributor, TraceRecord } from '../../core/ledger/record.ts'
import { parseSessionUrl } from '../../core/ledger/session-url.ts'
import { loadLessons } from '../lessons/lessons-on-disk.ts'
import { type WorkingClassLookup, workingClasses } from '../../core/ledger/working-classes.ts'
import { queryLedger } from '../ledger/query-ledger.ts'
import { heldIntents } from '../intents/sessions/claims.ts'
import { intentsWithLiveStatus } from '../intents/sessions/intents-in-work.ts'
import { entriesOfIntent } from '../../core/code/map/intent-section.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'
import { INTENT_MAP_PATH, LESSONS_PATH, PROJECT_POLICY_PATH } from '../../core/base/governance-files.ts'
import { readHead } from '../io/worktree/head.ts'
import { type ChangedFiles, recordsOfCommits } from './changed-files.ts'

/**
 * The facts about an intent for an agent, from the registry, policy, ledger, notes and worktree, with the role of the
 * agent's session.
 */
export async function loadIntentContext(
  workspace: Workspace,
  id: string,
  session: Pick<Session, 'id' | 'handover'> | null,
): Promise<ContextFacts> {
  const intents = await intentsWithLiveStatus(workspace, (await loadRegistry(workspace)).intents)
  const ticket = await ticketOf(workspace, findIntent(intents, id))
  const intent = withTicketCriteria(findIntent(intents, id), ticket?.text ?? null)
  const ticketConstraints = constraintsIn(ticket?.text ?? '').map(text => ({ text, by: ticket?.file ?? '' }))
  const policy = await loadPolicy(workspace)
  // Writes are judged by the committed scope, not by an uncommitted edit of it.
  const owned_scope = policy.intents.find(it => it.id === id)?.owned_scope ?? intent.owned_scope
  const lessons = await lessonsAbout(workspace, owned_scope)
  const projectConstraints = constraintsIn(await textIn(workspace, PROJECT_POLICY_PATH))
  // Parsing may fail for reasons that are no reason to be without a context.
  const conflicts = await findConflicts(workspace, { intent: id }).catch(() => [])
  const role = handoverRole(session?.handover)
  const declarations = entriesOfIntent(await mapTextIn(workspace), id).slice(0, DECLARATIONS_MAX)
  const given = { declarations, lessons, projectConstraints, ticketConstraints, conflicts }
  const facts = { intent: { ...intent, owned_scope }, role, forbidden: policy, ...given }
  return { ...facts, ...(await loadIntentWork(workspace, { intent: id, session: session?.id ?? null })) }
}

// The text of persons in the prompt file of an agent is not a list of lessons, and the agent reads that file itself.
async function lessonsAbout(workspace: Workspace, scope: readonly string[]): Promise<string[]> {
  const { lessons, outside, path } = await loadLessons(workspace, await loadConfig(workspace))
  const written = path === LESSONS_PATH ? outside : await textIn(workspace, LESSONS_PATH)
  return [...lessonsIn(written, scope), ...lessonsFor(lessons, scope)]
}

async function textIn({ files, root }: Workspace, path: string): Promise<string> {
  return (await files.read(join(root, path)))?.toString('utf8') ?? ''
}

// Larger than other texts: it has a line for each declaration of the repository.
async function mapTextIn({ files, root }: Workspace): Promise<string> {
  return (await files.read(join(root, INTENT_MAP_PATH), LARGE_FILE_BYTES_MAX))?.toString('utf8') ?? ''
}

const DECLARATIONS_MAX = 200

/** The intents that a session can select. */
export async function listSelectableIntents(workspace: Workspace): Promise<SelectableIntent[]> {
  return (await listIntents(workspace, null)).filter(it => it.whyNot === null)
}

/** All intents, each with the reason why an agent's session can't select it, or null. */
export async function listIntents(workspace: Workspace, session: string | null): Promise<ListedIntent[]> {
  const intents = await intentsWithLiveStatus(workspace, (await loadRegistry(workspace)).intents)
  const held = await heldIntents(workspace, session, await loadConfig(workspace))
  return intents.map(it => ({ ...it, whyNot: selectionRefusal(it, intents) ?? held.get(it.id) ?? null }))
}

/** The governance section of an agent's prompt; `session` is null before the selection of an intent. */
export async function loadPromptSection(
  workspace: Workspace,
  session: Pick<Session, 'id' | 'intent' | 'handover'> | null,
): Promise<string> {
  return promptSection(await loadSelectionState(workspace, session))
}

async function loadSelectionState(
  workspace: Workspace,
  session: Pick<Session, 'id' | 'intent' | 'handover'> | null,
): Promise<SelectionState> {
  if (session === null) return { available: await listSelectableIntents(workspace) }
  return { selected: await loadIntentContext(workspace, session.intent, session) }
}

/** The work done for an intent, newest first, and the current state of the files that it changed. */
async function loadIntentWork(
  workspace: Workspace,
  { intent, session }: { readonly intent: string; readonly session: string | null },
): Promise<Pick<ContextFacts, 'files' | 'history' | 'attempts'>> {
  const { records } = await queryLedger(workspace, { wanted: { intent }, limit: RECORDS_MAX })
  const claims = authorshipClaims(records)
  const writes = records.filter(isWriteEvent)
  const commits = await commitsCiting(workspace, intent, WORK_COMMITS_MAX)
  const notes = await recordsOfCommits(workspace, commits)
  const committed = commits.map(it => workOfCommit(it, notes.get(it.commit) ?? []))
  const classOf = workingClasses(records)
  const works = writes.map(it => ({ ...workOfWrite(it, claims.get(it.id)), classes: classesOfWrite(it, classOf) }))
  const attempts = [...pastChecks(records), ...pastRuns((await savedRuns(workspace)).runs, { intent, session })]
  const history = [...mergeConsecutiveWork(works), ...committed]
  const touched = new Map([...lastStates([...notes.values()].flat()), ...lastStates(writes)])
  const newest = [...touched].reverse().slice(0, WORK_FILES_MAX)
  const files = await Promise.all(newest.map(([path, recorded]) => readTouchedFile(workspace, { path, recorded })))
  return {
    files,
    history: history.sort(compareNewestFirst).slice(0, HISTORY_MAX),
    attempts: attempts.sort(compareNewestFirst).slice(0, ATTEMPTS_MAX),
  }
}

// The sheet for an agent shows fewer than these.
const RECORDS_MAX = 400
const WORK_COMMITS_MAX = 50
const HISTORY_MAX = 100
const ATTEMPTS_MAX = 20
const WORK_FILES_MAX = 150

function isWriteEvent({ metadata }: TraceRecord): boolean {
  return metadata['dev.kotef'].event === 'write'
}

/** The commits of HEAD whose trailers cite an intent, newest first; `limit` counts the commits that mention it. */
export async function commitsCiting(
  workspace: Workspace,
  intent: string,
  limit: number | null,
): Promise<LoggedCommit[]> {
  if ((await readHead(workspace)) === null) return []
  return (await workspace.git.ask(commitLog({ limit, intent }))).filter(it => it.intents.includes(intent))
}

function workOfCommit({ commit, date, subject }: LoggedCommit, notes: readonly ChangedFiles[]): HistoryEntry {
  const files = notes.flatMap(it => it.files)
  const authors = files.flatMap(it => it.conversations.map(of => contributorName(of.contributor)))
  return {
    at: new Date(date).toISOString(),
    by: [...new Set(authors)].sort().join(', ') || 'unknown',
    session: null,
    commit: { oid: commit.slice(0, 10), subject },
    paths: [...new Set(files.map(it => it.path))],
    classes: classNames(notedClasses(notes).values()),
  }
}

function classesOfWrite({ files }: TraceRecord, classOf: WorkingClassLookup): MutationClass[] {
  return classNames(files.flatMap(it => classOf(it) ?? []))
}

function workOfWrite(
  { timestamp, files }: TraceRecord,
  claim: AuthorshipClaim | undefined,
): Omit<HistoryEntry, 'classes'> {
  const [first] = files.flatMap(it => it.conversations)
  const contributor = claim ? creditOfClaim(claim).contributor : (first?.contributor ?? { type: 'unknown' as const })
  const session = claim ? claim.session : parseSessionUrl(first?.url)
  return { at: timestamp, by: contributorName(contributor), session, commit: null, paths: files.map(it => it.path) }
}

function contributorName({ type, model_id }: Contributor): string {
  return model_id === undefined ? type : `${type} ${model_id}`
}

/** Merges consecutive writes of one session into one entry. */
function mergeConsecutiveWork(works: readonly HistoryEntry[]): HistoryEntry[] {
  const rows: HistoryEntry[] = []
  for (const work of works) {
    const last = rows.at(-1)
    if (last && last.by === work.by && last.session === work.session) {
      const paths = new Set([...last.paths, ...work.paths])
      const classes = new Set([...last.classes, ...work.classes])
      rows[rows.length - 1] = { ...work, paths: [...paths], classes: [...classes].sort() }
    } else rows.push(work)
  }
  return rows
}

function compareNewestFirst(one: { readonly at: string }, other: { readonly at: string }): number {
  return one.at < other.at ? 1 : one.at > other.at ? -1 : 0
}

/** The blob that the last record left at each path, in the order of the last change; null for a path that is gone. */
function lastStates(records: readonly (ChangedFiles | TraceRecord)[]): Map<string, string | null> {
  const states = new Map<string, string | null>()
  for (const { files } of [...records].sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1))) {
    for (const { path, kotef } of files) {
      states.delete(path)
      states.set(path, kotef.after)
      if (kotef.op === 'rename' && kotef.from !== undefined) states.set(kotef.from, null)
    }
  }
  return states
}

// A path in a ledger can be forged, so it is not followed out of the worktree.
async function readTouchedFile(
  { root }: Workspace,
  { path, recorded }: Omit<TouchedFile, 'state'>,
): Promise<TouchedFile> {
  const absolute = await realPathOf(join(root, path)).catch(() => null)
  const fileState = absolute !== null && isWithin(root, absolute) ? await readFileState(absolute) : null
  return { path, recorded, state: fileState && 'oid' in fileState ? fileState.oid : null }
}
