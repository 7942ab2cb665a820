import { existsSync } from 'node:fs'
import type { GitQuery } from '../../core/git/query.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { policyInHead } from '../../core/intents/scope/compiled-policy.ts'
import { parseTrailers, trailerValues } from '../../core/git/trailers/parse-trailers.ts'
import { tryAskGitSync } from './gather-here.ts'

/** True on a branch that never had a registry, if another branch of the clone has one: no commit is judged there. */
export function isBeforeAdoption(): boolean {
  // On an unborn branch the first question fails, and the branch never had a registry.
  return isRegistryGone() && !tryAskGitSync(lastChange('HEAD')) && Boolean(tryAskGitSync(lastChange(...ALL_BRANCHES)))
}

/**
 * The line for people whose branch has left kotef; null where it has not: where the commit gave no reason, or where a
 * policy file is left.
 */
export function leftLine(): string | null {
  const oid = isRegistryGone() ? tryAskGitSync(lastChange('HEAD')) : null
  if (!oid || tryAskGitSync(policyInHead) !== '') return null
  const message = tryAskGitSync({ args: ['log', '-1', '--format=%B', oid, '--'], parse: out => out }) ?? ''
  const [why] = trailerValues(parseTrailers(message), 'Governance')
  if (!why) return null
  const way = 'remove its hooks from this clone with `npx kotef-watch uninit`'
  return `kotef: ${oid.slice(0, 10)} took kotef out of this branch, so nothing is judged; ${way}`
}

/** True while the commit that takes the registry out is being made: it is in HEAD, and neither on disk nor staged. */
export function isRegistryBeingRemoved(): boolean {
  return isRegistryGone() && tryAskGitSync(registryInHead) !== ''
}

function isRegistryGone(): boolean {
  return !existsSync(REGISTRY_PATH) && tryAskGitSync(stagedRegistry) === ''
}

// For `--all` git would open kotef's refs as well, and wait at a pipe in the place of one.
const ALL_BRANCHES = ['--branches', '--tags', '--remotes']

function lastChange(...where: readonly string[]): GitQuery<string> {
  return { args: ['log', '-1', '--format=%H', ...where, '--', REGISTRY_PATH], parse: out => out.trim() }
}

const stagedRegistry: GitQuery<string> = { args: ['ls-files', '--', REGISTRY_PATH], parse: out => out }
const registryInHead: GitQuery<string> = {
  args: ['ls-tree', '--name-only', 'HEAD', '--', REGISTRY_PATH],
  parse: out => out,
}
