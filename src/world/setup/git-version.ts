import type { Workspace } from '../io/worktree/workspace.ts'

/** The version of git, such as 2.39.5. */
export function gitVersion({ git }: Pick<Workspace, 'git'>): Promise<string> {
  return git.ask({ args: ['version'], parse: out => /\d[\d.]*\d/.exec(out)?.[0] ?? '0' })
}

/** True when a dotted version is at least the given one. */
export function isVersionAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const different = least.findIndex((it, n) => (parts[n] ?? 0) !== it)
  return different === -1 || (parts[different] ?? 0) > (least[different] ?? 0)
}

/** The first git that runs hooks named in its config. */
export const CONFIGURED_HOOKS_GIT_VERSION = [2, 54] as const
