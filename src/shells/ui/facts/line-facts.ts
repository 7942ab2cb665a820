import { gitIn } from '../../../world/io/git/git.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import { openHeadBlame } from '../../../world/provenance/head-blame.ts'
import { type AddedLineHistory, openLineHistory } from '../../../world/provenance/line-history.ts'
import { survivingRanges, type SurvivingLookup } from '../../../world/provenance/surviving-ranges.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type SlowSource, slowSource } from './slow-source.ts'

/** The lines of all commits, and those that HEAD still has; each as far as it is known. */
export type KnownLines = {
  readonly history: SlowFacts<AddedLineHistory>
  readonly surviving: SlowFacts<SurvivingLookup>
}

type LineSources = {
  readonly stamp: () => Promise<string | null>
  readonly history: SlowSource<AddedLineHistory>
  readonly surviving: SlowSource<SurvivingLookup>
}

// What was read of a repository serves all pages, as long as its workspace is open.
const sources = new WeakMap<Workspace, LineSources>()

/** Asks for the lines of all commits, and waits for them as long as `wait`. */
export async function askLines(workspace: Workspace, wait: Promise<unknown> | null): Promise<KnownLines> {
  const own = sources.get(workspace) ?? openSources(workspace)
  sources.set(workspace, own)
  const stamp = await own.stamp()
  if (stamp === null) return { history: NOTHING, surviving: NOTHING }
  const [head = ''] = stamp.split(' ')
  const history = await own.history.ask(stamp, wait)
  const surviving = await own.surviving.ask(head, wait)
  return { history, surviving }
}

// Without a commit there are no lines, which is known at once.
const NOTHING = { value: null, isCurrent: true, share: 1, failure: null }

function openSources(workspace: Workspace): LineSources {
  // Git runs a few questions of one reader at a time: those of a page must not wait behind the blame of all files.
  const reader = { ...workspace, git: gitIn(workspace.root, workspace.commonDir) }
  const history = openLineHistory(reader)
  const blame = openHeadBlame(reader)
  return {
    stamp: history.stamp,
    history: slowSource((_, progress) => history.read(progress)),
    surviving: slowSource(async (head, progress) => survivingRanges(await blame.read(head, progress))),
  }
}
