import { existsSync } from 'node:fs'
import type { GitQuery } from '../diff/query.ts'
import { POLICY_FILES } from '../scope/state.ts'
import { tryAsk } from './place.ts'

const [REGISTRY = ''] = POLICY_FILES

/** True on a branch that the registry never came to, in a clone where it came to another: such commits are free. */
export function isBeforeAdoption(): boolean {
  if (existsSync(REGISTRY)) return false
  // A branch without a commit has had no registry either.
  return !tryAsk(lastChange('HEAD')) && Boolean(tryAsk(lastChange('--all'))) && tryAsk(stagedRegistry) === ''
}

function lastChange(where: string): GitQuery<string> {
  return { args: ['log', '-1', '--format=%H', where, '--', REGISTRY], parse: out => out.trim() }
}

const stagedRegistry: GitQuery<string> = { args: ['ls-files', '--', REGISTRY], parse: out => out }
