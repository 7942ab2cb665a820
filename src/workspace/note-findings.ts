import type { Commit } from '../diff/commits.ts'
import type { Finding } from '../report/finding.ts'
import type { Workspace } from './workspace.ts'

/** What the notes of some commits say about them that is wrong; with `isWhole`, also each line that they don't know. */
export type NoteFinding = Finding & { readonly commit: string }

/** What is wrong with the notes on some commits. */
export async function noteFindings(
  _workspace: Workspace,
  _commits: readonly Commit[],
  _wish: { readonly requireTrace: boolean },
): Promise<NoteFinding[]> {
  return Promise.resolve([])
}
