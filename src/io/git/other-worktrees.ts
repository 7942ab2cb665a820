import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'

type WorktreeOfClone = { readonly root: string; readonly commonDir: string }

/** The roots of the clone's other worktrees, read from git's own files. */
export async function otherWorktrees({ root, commonDir }: WorktreeOfClone): Promise<string[]> {
  const folder = join(commonDir, 'worktrees')
  const names = await readdir(folder).catch(() => [])
  const linked = await Promise.all(names.map(it => linkedRoot(join(folder, it))))
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : []
  return [...main, ...linked.flatMap(it => it ?? [])].filter(it => it !== root)
}

// The file has the path of `.git` in the worktree's root. Git 2.48 and newer can write it relative to this folder.
async function linkedRoot(folder: string): Promise<string | null> {
  const text = (await readFile(join(folder, 'gitdir'), 'utf8').catch(() => '')).trimEnd()
  return text === '' ? null : dirname(isAbsolute(text) ? text : join(folder, text))
}
