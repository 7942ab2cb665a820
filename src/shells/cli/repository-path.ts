import { relative, resolve, sep } from 'node:path'
import { realPathOf } from '../../world/io/files/real-path.ts'

/** A path that a user typed, as an absolute path without symbolic links. */
export function resolveFile(cwd: string, path: string): Promise<string> {
  return realPathOf(resolve(cwd, path))
}

/** An absolute path, relative to the root of the worktree as git spells it; outside of it, it begins with `..`. */
export function repositoryPath(root: string, file: string): string {
  return relative(root, file).split(sep).join('/')
}
