import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'

type WorktreeOfClone = { readonly root: string; readonly commonDir: string }

/** The tops of the clone's other worktrees, as git has written them down. */
export async function otherWorktrees({ root, commonDir }: WorktreeOfClone): Promise<string[]> {
  const folder = join(commonDir, 'worktrees')
  const names = await readdir(folder).catch(() => [])
  const linked = await Promise.all(names.map(it => linkedRoot(join(folder, it))))
  const main = basename(commonDir) === '.git' ? [dirname(commonDir)] : []
  return [...main, ...linked.flatMap(it => it ?? [])].filter(it => it !== root)
}

// What stands there is the path of the `.git` in its top; a later git may write it from this folder on.
async function linkedRoot(folder: string): Promise<string | null> {
  const text = (await readFile(join(folder, 'gitdir'), 'utf8').catch(() => '')).trimEnd()
  return text === '' ? null : dirname(isAbsolute(text) ? text : join(folder, text))
}
