import { execFile } from 'node:child_process'
import type { GitQuery } from '../../git/query.ts'
import { withoutRepositoryEnv } from './git-env.ts'

/** What git answers in a folder, for those who can't wait for what `io/git/git.ts` loads; null when it fails. */
export function askGitDirectly<T>(cwd: string, { args, parse }: GitQuery<T>): Promise<T | null> {
  const around = { cwd, env: withoutRepositoryEnv(process.env), maxBuffer: Infinity } as const
  return new Promise(resolve => {
    execFile('git', ['--no-replace-objects', '--no-optional-locks', ...args], around, (failed, stdout) =>
      resolve(failed ? null : parse(stdout)),
    )
  })
}
