import { blameArgs, type BlameChunk, type BlamedPart, parseBlame } from '../../../core/git/blame.ts'
import type { Git } from './git.ts'

/** The lines to blame: an absolute path without symbolic links, and the part of it. */
export type BlameRequest = BlamedPart & { readonly file: string }

/** Starts git on the history of a file. The promise rejects when git fails. */
export function startBlame(git: Pick<Git, 'bytes'>, { file, ...wish }: BlameRequest): Promise<readonly BlameChunk[]> {
  const blamed = git.bytes(blameArgs(file, wish)).then(it => parseBlame(it.toString('utf8')))
  blamed.catch(() => {})
  return blamed
}
