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

/**
 * Blames files, a few at a time: git reads the whole history for each, with one processor and much memory. The answers
 * are in the order of the paths; `progress` is called with the share of them that is known.
 */
export async function blameEach<Lines>(
  paths: readonly string[],
  blameOne: (path: string) => Promise<Lines>,
  progress: (share: number) => void,
): Promise<Map<string, Lines>> {
  const blamed = new Map<string, Lines>()
  const left = paths.values()
  const blameRest = async (): Promise<void> => {
    for (const path of left) {
      blamed.set(path, await blameOne(path))
      progress(blamed.size / paths.length)
    }
  }
  await Promise.all(Array.from({ length: BLAMES_AT_ONCE }, blameRest))
  return new Map(paths.flatMap(it => (blamed.has(it) ? [[it, blamed.get(it)!] as const] : [])))
}

const BLAMES_AT_ONCE = 2
