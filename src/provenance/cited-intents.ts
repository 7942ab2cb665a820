import type { GitQuery } from '../git/query.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Answers the intent that a commit's message cites for a path; null when it cites none, or several that may own it. */
export type CitedIntentLookup = (commit: string, path: string) => string | null

/** Reads which intents commits cite. Of several, the one whose scope owns a path today is the path's. */
export async function citedIntents(workspace: Workspace, commits: readonly string[]): Promise<CitedIntentLookup> {
  const cited = new Map(commits.length === 0 ? [] : ((await workspace.git.tryAsk(citationsOf(commits))) ?? []))
  const isSeveral = [...cited.values()].some(it => it.length > 1)
  // Loaded here, because globs and YAML are slow to load and few commits cite several intents.
  const owns = isSeveral ? await (await import('./path-owners.ts')).loadPathOwners(workspace) : () => false
  return (commit, path) => {
    const ids = cited.get(commit) ?? []
    const owners = ids.length === 1 ? ids : ids.filter(it => owns(it, path))
    return owners.length === 1 ? (owners[0] ?? null) : null
  }
}

function citationsOf(commits: readonly string[]): GitQuery<[commit: string, intents: string[]][]> {
  const format = '--format=%H %(trailers:key=Intent-ID,valueonly,unfold,separator=%x20)'
  return {
    args: ['-c', 'trailer.separators=:', 'log', '--no-walk=unsorted', '--no-show-signature', format, ...commits, '--'],
    parse: out => out.split('\n').filter(Boolean).map(parseCitation),
  }
}

function parseCitation(line: string): [string, string[]] {
  const [commit = '', ...intents] = line.split(' ').filter(Boolean)
  return [commit, [...new Set(intents)]]
}
