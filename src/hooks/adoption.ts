import { existsSync } from 'node:fs'
import type { GitQuery } from '../git/query.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { tryAskGitSync } from './gather-here.ts'

/** True on a branch that never had a registry, if another branch of the clone has one: no commit is judged there. */
export function isBeforeAdoption(): boolean {
  if (existsSync(REGISTRY_PATH)) return false
  // On an unborn branch the first question fails, and the branch never had a registry.
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
