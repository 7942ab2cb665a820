import { type BlameChunk, blameArgs, parseBlame } from '../git/blame.ts'
import type { Git } from '../io/git/git.ts'

/** The lines to blame: an absolute path without symbolic links; a commit, or null for the file on disk. */
export type BlameRequest = {
  readonly file: string
  readonly revision: string | null
  /** As for git's -L. */
  readonly ranges: readonly string[]
}

/** Starts git on the history of a file. The promise rejects when git fails. */
export function startBlame(git: Pick<Git, 'bytes'>, { file, ...wish }: BlameRequest): Promise<readonly BlameChunk[]> {
  const blamed = git.bytes(blameArgs(file, wish)).then(it => parseBlame(it.toString('utf8')))
  blamed.catch(() => {})
  return blamed
}
