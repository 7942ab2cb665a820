import { relative, resolve, sep } from 'node:path'
import { realPathOf } from '../io/real-path.ts'

/** A path as a user gives it, as git spells it from the top on. What lies beside the worktree begins with `..`. */
export async function repositoryPath(root: string, cwd: string, given: string): Promise<string> {
  return relative(root, await realPathOf(resolve(cwd, given)))
    .split(sep)
    .join('/')
}
