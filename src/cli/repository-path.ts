import { relative, resolve, sep } from 'node:path'
import { realPathOf } from '../io/files/real-path.ts'

/** A file that a call names, as an absolute path without symbolic links. */
export function resolveFile(cwd: string, given: string): Promise<string> {
  return realPathOf(resolve(cwd, given))
}

/** A file as git spells it from the top on. What lies beside the worktree begins with `..`. */
export function repositoryPath(root: string, file: string): string {
  return relative(root, file).split(sep).join('/')
}
