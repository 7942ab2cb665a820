import { existsSync } from 'node:fs'
import type { GitQuery } from '../git/query.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { tryAskGitSync } from './gather-here.ts'

/** True on a branch that the registry never came to, in a clone where it came to another: such commits are free. */
export function isBeforeAdoption(): boolean {
  if (existsSync(REGISTRY_PATH)) return false
  // A branch without a commit has had no registry either.
  return (
    !tryAskGitSync(lastChange('HEAD')) &&
    Boolean(tryAskGitSync(lastChange('--all'))) &&
    tryAskGitSync(stagedRegistry) === ''
  )
}

function lastChange(where: string): GitQuery<string> {
  return { args: ['log', '-1', '--format=%H', where, '--', REGISTRY_PATH], parse: out => out.trim() }
}

const stagedRegistry: GitQuery<string> = { args: ['ls-files', '--', REGISTRY_PATH], parse: out => out }
