import { emptyTree, type PathChange, stagedChanges } from '../../../core/git/changes.ts'
import type { GitStatusEntry } from '../../../core/git/status.ts'
import { type Content, setStaged, type WorktreeState } from '../observation/worktree-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { Reflog } from './reflog.ts'

/** What the checkpoint and the ledger say: HEAD as it was saved, and as it was when paths were recorded since. */
type Saved = {
  readonly head: string | null
  readonly heads: ReadonlyMap<string, string>
  readonly status: readonly GitStatusEntry[]
}

/**
 * Finds out the last known content of paths that are not as HEAD has them, where the index changed while no daemon ran:
 * what was staged when it was last read, or what HEAD had. What was committed meanwhile may be what git brought.
 */
export async function rebuildBaseline(
  workspace: Workspace,
  state: WorktreeState,
  { head, heads, status }: Saved,
): Promise<void> {
  const { paths: known, index, staged, epoch } = state
  const changesSince = changesIn(workspace)
  const noted = status.length + known.size === 0 ? NONE : await changesSince(head)
  for (const [path, it] of known) {
    if (index.has(path)) continue
    const stood = staged.get(path) ?? noted.get(path)?.before ?? (await changesSince(heads.get(path))).get(path)?.before
    if (!stood) continue
    // Git had it, and may have taken it away.
    epoch.markSeen(path, it.content?.oid ?? null)
    known.set(path, { ...it, indexed: true })
  }
  const history = await new Reflog(workspace, state).read()
  for (const { path, kind } of status) {
    if (known.has(path)) continue
    let stood = stoodAt(state, path, noted.get(path))
    // What a move of HEAD brought was in the worktree for a time, even if it is gone.
    if (stood === null ? kind === 'dirty' || !index.has(path) : !stood && !index.has(path)) {
      const now = index.get(path) ?? (await changesSince('HEAD')).get(path)?.before ?? null
      const last = (await history.at(path, { each: true, since: epoch.inspectedAt(path) })).moves.at(-1)
      if (now && last?.by === 'git' && last.to === now.oid) stood = now
    }
    if (stood === undefined) continue
    known.set(path, { content: stood, signature: null, traced: true, at: 0, indexed: stood !== null })
  }
}

/** HEAD has moved: what the index has otherwise is staged. The index must have been read since. */
export async function resetStagedFromHead(
  { git }: Workspace,
  state: WorktreeState,
  head: string | null,
): Promise<void> {
  const changes = await git.tryAsk(stagedChanges(head ?? (await git.ask(emptyTree))))
  if (changes) state.staged.clear()
  for (const { path } of filesIn(changes ?? [])) setStaged(state, path)
  state.head = head
  state.revision++
}

/** What a path held when it was not known to hold anything but what the index had; undefined when it has that still. */
function stoodAt({ index, staged }: WorktreeState, path: string, change: PathChange | undefined): Content | undefined {
  const now = index.get(path) ?? null
  const oid = staged.get(path)
  if (oid === undefined) return change?.before
  if (oid === (now?.oid ?? null)) return change?.after
  return oid === null ? null : { oid, mode: now?.mode ?? change?.before?.mode ?? REGULAR }
}

type Changes = ReadonlyMap<string, PathChange>

const NONE: Changes = new Map()

/** What the index changes in a commit, asked once for each. */
function changesIn({ git }: Workspace): (tree: string | null | undefined) => Promise<Changes> {
  const asked = new Map<string, Promise<Changes>>()
  const ask = async (tree: string): Promise<Changes> => {
    const changes = (await git.tryAsk(stagedChanges(tree))) ?? []
    return new Map(filesIn(changes).map(it => [it.path, it]))
  }
  return async tree => {
    if (tree === null || tree === undefined) return NONE
    const answer = asked.get(tree) ?? ask(tree)
    asked.set(tree, answer)
    return answer
  }
}

function filesIn(changes: readonly PathChange[]): readonly PathChange[] {
  return changes.filter(it => ![it.before?.mode, it.after?.mode].includes(SUBMODULE))
}

const REGULAR = '100644'
const SUBMODULE = '160000'
