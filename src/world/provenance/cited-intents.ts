import { citationIn } from '../../core/git/trailers/commits.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Answers the intent that a commit's message cites for a path; null when it cites none, or several that may own it. */
export type CitedIntentLookup = (commit: string, path: string) => string | null

/**
 * Reads which intents commits cite. Of several, the one whose scope owns a path today is the path's. The commit at
 * which a shallow clone ends seems to have added every line of its tree, so what it cites says nothing about them.
 */
export async function citedIntents(workspace: Workspace, commits: readonly string[]): Promise<CitedIntentLookup> {
  const ends = await readShallowEnds(workspace)
  const cited = await readCitations(
    workspace,
    commits.filter(it => !ends.has(it)),
  )
  const isSeveral = [...cited.values()].some(it => it.length > 1)
  // Loaded here, because globs and YAML are slow to load and few commits cite several intents.
  const owns = isSeveral ? await (await import('./path-owners.ts')).loadPathOwners(workspace) : () => false
  return (commit, path) => {
    const ids = cited.get(commit) ?? []
    const owners = ids.length === 1 ? ids : ids.filter(it => owns(it, path))
    return owners.length === 1 ? (owners[0] ?? null) : null
  }
}

async function readCitations({ git }: Workspace, commits: readonly string[]): Promise<Map<string, readonly string[]>> {
  const cited = new Map<string, readonly string[]>()
  if (commits.length === 0) return cited
  const decoder = new TextDecoder()
  let fields: string[] = []
  for await (const chunk of git.streamWithInput(CITATION_ARGS, { input: `${commits.join('\n')}\n` })) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\0')
    fields = [...fields.slice(0, -1), `${fields.at(-1) ?? ''}${first}`, ...more]
    while (fields.length > 2) {
      const [commit = '', message = ''] = fields.splice(0, 2)
      cited.set(commit, citationIn(message).cited)
    }
  }
  return cited
}

// Git itself finds only the last block of trailers, where the message of a squash has several.
const CITATION_ARGS = [
  ...['log', '-z', '--stdin', '--no-walk=unsorted', '--ignore-missing', '--no-notes'],
  ...['--encoding=UTF-8', '--format=tformat:%H%x00%B'],
]
