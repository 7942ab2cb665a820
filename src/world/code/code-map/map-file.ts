import { join } from 'node:path'
import { isRebasing } from '../../../core/git/git-operation.ts'
import { gather } from '../../io/git/gather.ts'
import { withLock } from '../../io/files/lock.ts'
import { LARGE_FILE_BYTES_MAX } from '../../io/files/regular-file.ts'
import { splitAtMarkers, withMapBlock } from '../../../core/code/map/map-block.ts'
import { type IntentMap, mapBlock, readMapBlock } from '../../../core/code/map/map-text.ts'
import { INTENT_MAP_PATH } from '../../../core/base/governance-files.ts'
import { loadConfig } from '../../intents/policy/load-policy.ts'
import { layoutOf, ownPath } from '../../io/worktree/layout.ts'
import { announceOwnWrite } from '../../io/worktree/own-writes.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { mapOfHead } from './code-index.ts'

/** What became of the file of the map: why it was left as it is, or null if it has the map of HEAD. */
export type MapFileUpdate = { readonly isWritten: boolean; readonly obstacle: string | null }

/** Brings the generated block of the file up to date with a map. Everything around the block stays byte for byte. */
export async function updateMapFile(workspace: Workspace, map: IntentMap): Promise<MapFileUpdate> {
  if ((await workspace.files.modifiedAt(layoutOf(workspace).registry)) === null) return NOT_WRITTEN
  return withLock(ownPath(workspace, 'map-file.lock'), () => writeBlock(workspace, map))
}

const NOT_WRITTEN: MapFileUpdate = { isWritten: false, obstacle: null }

async function writeBlock(workspace: Workspace, map: IntentMap): Promise<MapFileUpdate> {
  const path = join(workspace.root, INTENT_MAP_PATH)
  const bytes = await workspace.files.read(path, LARGE_FILE_BYTES_MAX)
  if (bytes === null) return NOT_WRITTEN
  // Bytes that are not UTF-8 stay as they are.
  const text = bytes.toString('latin1')
  const marked = splitAtMarkers(text)
  if (await isConflicted(workspace)) return { isWritten: false, obstacle: 'it is in conflict' }
  if (!marked) return { isWritten: false, obstacle: 'it does not have each of its two markers once' }
  const block = Buffer.from(mapBlock(map)).toString('latin1')
  if (isSameMap(marked.block, block)) return NOT_WRITTEN
  const changed = Buffer.from(withMapBlock(marked, block), 'latin1')
  await announceOwnWrite(workspace, changed)
  await workspace.files.replace(path, changed)
  return { isWritten: true, obstacle: null }
}

/** True where a commit is a reason to make the map: somebody has asked for it, or its file is to follow the commits. */
export async function isMapKept(workspace: Workspace): Promise<boolean> {
  if ((await workspace.files.modifiedAt(ownPath(workspace, 'map'))) !== null) return true
  return (await loadConfig(workspace)).map.update === 'commits'
}

/**
 * Makes the map after commits, so that a question about it need not; and brings its file up to date where the config
 * wants that. During a rebase the file is left as it is: git would stop at a change of it.
 */
export async function mapNewCommits(workspace: Workspace): Promise<void> {
  const map = await mapOfHead(workspace)
  const { update } = (await loadConfig(workspace)).map
  if (update === 'commits' && !(await gather(workspace, isRebasing(workspace)))) await updateMapFile(workspace, map)
}

function isConflicted({ git }: Workspace): Promise<boolean> {
  return git.ask({
    args: ['ls-files', '--unmerged', '--', `:(top,literal)${INTENT_MAP_PATH}`],
    parse: out => out !== '',
  })
}

// A formatter may have changed the layout of the block, and line ends differ by the checkout.
function isSameMap(one: string, other: string): boolean {
  const meaning = (block: string) => {
    const { entries, names } = readMapBlock(block)
    return JSON.stringify([entries, [...names]])
  }
  return meaning(one) === meaning(other)
}
