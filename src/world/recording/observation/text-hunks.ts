import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Hunk, hunksBetween, onlyHunk } from '../../../core/git/diff/hunks.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

type TextPair = { readonly before: Buffer; readonly after: Buffer }

/** The hunks of pairs of texts, in the order of the pairs. Git diffs only pairs with more than one possible diff. */
export async function textHunks(workspace: Workspace, pairs: readonly TextPair[]): Promise<(readonly Hunk[])[]> {
  const hunks = pairs.map(({ before, after }) => onlyHunk(before, after))
  const undecided = pairs.filter((_, n) => hunks[n] === null)
  const answers = (await hunksByGit(workspace, undecided)).values()
  return hunks.map(it => it ?? answers.next().value ?? [])
}

/** The hunks of pairs of texts, by one git process. */
async function hunksByGit(workspace: Workspace, pairs: readonly TextPair[]): Promise<(readonly Hunk[])[]> {
  if (pairs.length === 0) return []
  const temporary = ownPath(workspace, 'tmp')
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(temporary, 'diff-'))
  try {
    const before = join(folder, 'before')
    const after = join(folder, 'after')
    await Promise.all([mkdir(before), mkdir(after)])
    for (const [n, pair] of pairs.entries()) {
      await Promise.all([writeFile(join(before, `${n}`), pair.before), writeFile(join(after, `${n}`), pair.after)])
    }
    const hunks = await workspace.git.ask(hunksBetween(before, after))
    return pairs.map((_, n) => hunks.get(n) ?? [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
