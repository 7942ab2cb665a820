import { type BlameChunk, blameArgs, parseBlame } from '../git/blame.ts'
import type { Git } from '../io/git/git.ts'

/** Which lines of which file: an absolute path without symbolic links; a commit or null for the file on disk. */
export type BlameRequest = {
  readonly file: string
  readonly revision: string | null
  /** As for git's -L. */
  readonly ranges: readonly string[]
}

/** Has git look into the history of a file at once; who waits for it is told of its failure. */
export function startBlame(git: Pick<Git, 'bytes'>, { file, ...wish }: BlameRequest): Promise<readonly BlameChunk[]> {
  const blamed = git.bytes(blameArgs(file, wish)).then(it => parseBlame(it.toString('utf8')))
  blamed.catch(() => {})
  return blamed
}
