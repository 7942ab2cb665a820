import { streamLines } from '../io/process/run.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Answers the intent that a commit's message cites for a path; null when it cites none, or several that may own it. */
export type CitedIntentLookup = (commit: string, path: string) => string | null

/** Reads which intents commits cite. Of several, the one whose scope owns a path today is the path's. */
export async function citedIntents(workspace: Workspace, commits: readonly string[]): Promise<CitedIntentLookup> {
  const cited = await readCitations(workspace, commits)
  const isSeveral = [...cited.values()].some(it => it.length > 1)
  // Loaded here, because globs and YAML are slow to load and few commits cite several intents.
  const owns = isSeveral ? await (await import('./path-owners.ts')).loadPathOwners(workspace) : () => false
  return (commit, path) => {
    const ids = cited.get(commit) ?? []
    const owners = ids.length === 1 ? ids : ids.filter(it => owns(it, path))
    return owners.length === 1 ? (owners[0] ?? null) : null
  }
}

async function readCitations({ git }: Workspace, commits: readonly string[]): Promise<Map<string, string[]>> {
  const cited = new Map<string, string[]>()
  if (commits.length === 0) return cited
  const found = git.streamWithInput(CITATION_ARGS, { input: `${commits.join('\n')}\n` })
  for await (const lines of streamLines(found))
    for (const [commit, intents] of lines.map(it => parseCitation(it.toString('utf8')))) cited.set(commit, intents)
  return cited
}

const CITATION_ARGS = [
  ...['-c', 'trailer.separators=:', 'log', '--stdin', '--no-walk=unsorted', '--ignore-missing', '--no-show-signature'],
  '--format=%H %(trailers:key=Intent-ID,valueonly,unfold,separator=%x20)',
]

function parseCitation(line: string): [string, string[]] {
  const [commit = '', ...intents] = line.split(' ').filter(Boolean)
  return [commit, [...new Set(intents)]]
}
