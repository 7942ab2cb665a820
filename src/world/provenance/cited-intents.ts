import type { LineIntent } from '../../core/authorship/line-intent.ts'
import { citationIn } from '../../core/git/trailers/commits.ts'
import { readShallowEnds } from '../io/worktree/shallow-ends.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * Answers the intent of lines of a path: what the commit's message cites for it. `recorded` is the intent for which
 * they were written, or null: it counts where the commit cites it for the path as well, or cites none.
 */
export type CitedIntentLookup = (commit: string, path: string, recorded: string | null) => LineIntent

/**
 * Reads which intents commits cite. Of several, the one whose scope owns a path today is the path's, or
 * either of those that do; where none does, either of all that are cited. The commit at
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
  return (commit, path, recorded) => citedIntent(cited.get(commit) ?? [], recorded, it => owns(it, path))
}

function citedIntent(cited: readonly string[], recorded: string | null, owns: (id: string) => boolean): LineIntent {
  const [only = null] = cited
  if (cited.length < 2) return { intent: only ?? recorded }
  const own = recorded !== null && cited.includes(recorded) ? recorded : null
  if (own !== null && owns(own)) return { intent: own }
  const owners = cited.filter(owns)
  const [owner = null] = owners
  if (owner !== null && owners.length === 1) return { intent: owner }
  if (own !== null) return { intent: own }
  return { intent: null, either: [...(owner === null ? cited : owners)].sort() }
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
