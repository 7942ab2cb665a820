import type { Blobs } from '../io/git/blobs.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** A workspace whose git writes new objects to a temporary folder. */
export type ScratchWorkspace = Workspace & { readonly blobs: Blobs }
