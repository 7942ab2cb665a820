import { join } from 'node:path'
import type { ContextFacts, TouchedFile, Work } from '../context/facts.ts'
import { commitLog, type LoggedCommit } from '../diff/log.ts'
import { isWithin, realPathOf } from '../io/real-path.ts'
import { standingAt } from '../io/worktree.ts'
import { type Claim, claimsOf, creditOf } from '../ledger/claims.ts'
import type { CommittedRecord } from '../ledger/committed.ts'
import type { Contributor, TraceRecord } from '../ledger/record.ts'
import { sessionIn } from '../ledger/session-url.ts'
import { askLedger } from '../workspace/ask-ledger.ts'
import { headOid } from '../diff/head-oid.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { notesOn } from './notes.ts'

/** What was done for an intent, newest first, and how the files stand that it was done to. */
export async function workOf(workspace: Workspace, intent: string): Promise<Pick<ContextFacts, 'files' | 'history'>> {
  const { records } = await askLedger(workspace, { wanted: { intent }, limit: RECORDS_MAX })
  const claims = claimsOf(records)
  const writes = records.filter(isWrite)
  const commits = await commitsOf(workspace, intent)
  const notes = await notesOn(
    workspace,
    commits.map(it => it.commit),
  )
  const committed = commits.map(it => committedWork(it, notes.get(it.commit) ?? []))
  const history = [...inRows(writes.map(it => writtenWork(it, claims.get(it.id)))), ...committed]
  const touched = new Map([...statesIn([...notes.values()].flat()), ...statesIn(writes)])
  const newest = [...touched].reverse().slice(0, FILES_MAX)
  const files = await Promise.all(newest.map(([path, recorded]) => touchedFile(workspace, { path, recorded })))
  return { files, history: history.sort(byTime).slice(0, HISTORY_MAX) }
}

// More than has room in a context anyway.
const RECORDS_MAX = 400
const COMMITS_MAX = 50
const HISTORY_MAX = 100
const FILES_MAX = 150

function isWrite({ metadata }: TraceRecord): boolean {
  return metadata['dev.kotef'].event === 'write'
}

async function commitsOf({ git }: Workspace, intent: string): Promise<LoggedCommit[]> {
  if ((await git.tryAsk(headOid)) === null) return []
  return (await git.ask(commitLog({ limit: COMMITS_MAX, intent }))).filter(it => it.intents.includes(intent))
}

function committedWork({ commit, date, subject }: LoggedCommit, notes: readonly CommittedRecord[]): Work {
  const files = notes.flatMap(it => it.files)
  const authors = files.flatMap(it => it.conversations.map(of => whoIs(of.contributor)))
  return {
    at: new Date(date).toISOString(),
    by: [...new Set(authors)].sort().join(', ') || 'unknown',
    session: null,
    commit: { oid: commit.slice(0, 10), subject },
    paths: [...new Set(files.map(it => it.path))],
  }
}

function writtenWork({ timestamp, files }: TraceRecord, claim: Claim | undefined): Work {
  const [first] = files.flatMap(it => it.conversations)
  const contributor = claim ? creditOf(claim).contributor : (first?.contributor ?? { type: 'unknown' as const })
  const session = claim?.session ?? sessionIn(first?.url)
  return { at: timestamp, by: whoIs(contributor), session, commit: null, paths: files.map(it => it.path) }
}

function whoIs({ type, model_id }: Contributor): string {
  return model_id === undefined ? type : `${type} ${model_id}`
}

/** What one session wrote in a row is one piece of work. */
function inRows(works: readonly Work[]): Work[] {
  const rows: Work[] = []
  for (const work of works) {
    const last = rows.at(-1)
    if (last && last.by === work.by && last.session === work.session) {
      rows[rows.length - 1] = { ...work, paths: [...new Set([...last.paths, ...work.paths])] }
    } else rows.push(work)
  }
  return rows
}

function byTime(one: Work, other: Work): number {
  return one.at < other.at ? 1 : one.at > other.at ? -1 : 0
}

type Recorded = Pick<TraceRecord, 'timestamp'> & Pick<CommittedRecord, 'files'>

/** What the last of some records left at each path, in the order in which the paths were last touched. */
function statesIn(records: readonly (Recorded | TraceRecord)[]): Map<string, string | null> {
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

// A path of a ledger is a text that somebody wrote: it does not lead out of the worktree.
async function touchedFile({ root }: Workspace, { path, recorded }: Omit<TouchedFile, 'state'>): Promise<TouchedFile> {
  const place = await realPathOf(join(root, path)).catch(() => null)
  const standing = place !== null && isWithin(root, place) ? await standingAt(place) : null
  return { path, recorded, state: standing && 'oid' in standing ? standing.oid : null }
}
