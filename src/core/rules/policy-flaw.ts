import { readConfig } from '../intents/config.ts'
import { readRegistry, readRegistryFile } from '../intents/registry.ts'
import { readForbiddenPaths } from '../intents/contract/forbidden-paths.ts'
import {
  CONFIG_PATH,
  isPolicyFile,
  isRegistryPath,
  PROJECT_POLICY_PATH,
  REGISTRY_PATH,
} from '../base/governance-files.ts'
import type { Finding, Problem } from '../base/finding.ts'
import { plural, printable } from '../base/printable.ts'

/** Why a policy file with this text can't be read, as a clause; null when it can. The registry is given as a whole. */
export function policyFlaw(path: string, text: string): string | null {
  if (path !== REGISTRY_PATH && text.length > POLICY_CHARS_MAX) return 'is larger than 1 MiB'
  if (hasConflictMarkers(text)) return 'has conflict markers'
  if (text.includes('\ufffd')) return 'is not UTF-8 text'
  const [first, ...more] = problemsIn(path, text)
  if (!first) return null
  const { file, line, expected, found } = first
  const rest = more.length === 0 ? '' : `, and ${plural(more.length, 'more problem')}`
  const place = `${file === path ? '' : `, ${file}`}${line === null ? '' : `, line ${line}`}`
  return `can't be read${place}: expected ${expected}, found ${found}${rest}`
}

// The registry is given as a whole, of files that are each below it.
const POLICY_CHARS_MAX = 1_048_576

/** True for a text in which git marked a conflict that nobody settled. */
export function hasConflictMarkers(text: string): boolean {
  return CONFLICT_BEGINS.test(text) && CONFLICT_ENDS.test(text)
}

const CONFLICT_BEGINS = /^<{7}(?: |\r?$)/m
const CONFLICT_ENDS = /^>{7}(?: |\r?$)/m

function problemsIn(path: string, text: string): readonly Problem[] {
  if (path === REGISTRY_PATH) return readRegistry(text).problems
  if (isRegistryPath(path)) return readRegistryFile({ path, text }).problems
  return path === CONFIG_PATH ? readConfig(text).problems : []
}

/**
 * The finding of a registry that is removed while other policy files stay, given the paths that are there afterwards;
 * null when the whole policy is gone, for that is how a repository leaves kotef.
 */
export function removedRegistryFinding(paths: readonly string[], since: string | null): Finding | null {
  const kept = paths.filter(it => isPolicyFile(it) || it.startsWith(`${REGISTRY_PATH}/`))
  const [first] = kept
  if (first === undefined) return null
  const rest = kept.length === 1 ? ' stays' : ` and ${kept.length - 1} more stay`
  const flaw = `is removed, and ${printable(first)}${rest}`
  return {
    ...policyFlawFinding(REGISTRY_PATH, flaw, since),
    hint: 'Bring it back, or remove kotef as a whole: `git rm -rq --ignore-unmatch .orchestration .sdd .intentignore`',
  }
}

/** For review: a KOTEF.md with lines that seem to forbid a path, and do not. */
export function unreadLinesFinding(path: string, text: string): Finding | null {
  const [first, ...more] = path === PROJECT_POLICY_PATH ? readForbiddenPaths(text).unread : []
  if (!first) return null
  const rest = more.length === 0 ? '' : `, and so may ${plural(more.length, 'more line')}`
  return {
    rule: 'policy-readable',
    level: 'review',
    path,
    message: `${path}:${first.line} may forbid nothing: ${printable(first.text)}${rest}`,
    hint: FORBIDDING_HINT,
  }
}

/** How a KOTEF.md forbids a path. */
export const FORBIDDING_HINT = 'Write each path as an item below `## Forbidden Paths`, in backticks: - `src/secret/**`'

/** The finding of a policy file that would be left unreadable; `since` names the commit that left it so, if known. */
export function policyFlawFinding(path: string, flaw: string, since: string | null): Finding {
  return {
    rule: 'policy-readable',
    level: 'block',
    path,
    message: `${path} ${since === null ? flaw : `${flaw} (since ${since})`}`,
    hint: `Repair it, and commit it alone: \`git commit -m 'repair the policy' -m 'Governance: repair' ${path}\``,
  }
}
