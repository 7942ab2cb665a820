import type { GitQuery } from '../../core/git/query.ts'
import { type Anchor, parseAnchor } from '../../core/ledger/anchors.ts'
import { readNoteRecords } from '../ledger/notes.ts'
import { readHead } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The heads of ledgers that the newest commits of HEAD have in their notes and trailers. */
export async function readAnchors(workspace: Workspace): Promise<Anchor[]> {
  if ((await readHead(workspace)) === null) return []
  const commits = await workspace.git.ask(traceTrailers)
  const notes = await readNoteRecords(workspace, [...commits.keys()])
  return [...commits].flatMap(([commit, values]) => {
    const inNotes = (notes.get(commit) ?? []).map(it => it.metadata['dev.kotef'].head)
    return [...inNotes, ...values.map(parseAnchor)].flatMap(it => (it ? [{ ...it, commit }] : []))
  })
}

// Newer heads vouch for older records, as each record names the one before it.
const COMMITS_MAX = 200

const traceTrailers: GitQuery<Map<string, string[]>> = {
  args: [...['log', `--max-count=${COMMITS_MAX}`], '--format=%H %(trailers:key=Trace,valueonly,unfold,separator=%x20)'],
  parse: out =>
    new Map(
      out.split('\n').flatMap(line => {
        const [commit = '', ...values] = line.split(' ')
        return commit === '' ? [] : [[commit, values]]
      }),
    ),
}
