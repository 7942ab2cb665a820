import { forbiddenPaths } from '../scope/forbidden-paths.ts'
import type { Intent } from '../intents/intent.ts'
import { INTENTIGNORE_PATH, REGISTRY_PATH, PROJECT_POLICY_PATH } from '../paths/governance-files.ts'
import { readRegistry } from '../intents/registry.ts'
import { printable } from '../text/printable.ts'
import { isFinalStatus } from '../intents/lifecycle.ts'

/** A governance file before and after a commit; null where there is no file. */
export type GovernanceFile = { readonly path: string; readonly before: string | null; readonly after: string | null }

/** A change of a governance file in words; `loosens` is true when it allows more than before. */
export type GovernanceChange = { readonly description: string; readonly loosens: boolean }

/** The meaning of a governance file's change for the rules. */
export function governanceChanges({ path, before, after }: GovernanceFile): GovernanceChange[] {
  if (path === REGISTRY_PATH) return registryChanges(before ?? '', after)
  if (path === INTENTIGNORE_PATH || path === PROJECT_POLICY_PATH) return [listChange({ path, before, after })]
  const how = before === null ? 'is new' : after === null ? 'is gone' : 'is changed'
  return [{ description: `${printable(path)} ${how}`, loosens: true }]
}

function registryChanges(before: string, after: string | null): GovernanceChange[] {
  if (after === null) return [{ description: 'the registry is gone', loosens: true }]
  const [old, current] = [readRegistry(before).intents, readRegistry(after)]
  if (current.problems.length > 0) return [{ description: "the registry can't be read any more", loosens: true }]
  const gone = old.filter(it => !current.intents.some(({ id }) => id === it.id))
  const changes = [
    ...current.intents.flatMap(it => intentChanges(old.find(({ id }) => id === it.id) ?? null, it)),
    ...gone.map(({ id }) => ({ description: `${id} is gone`, loosens: false })),
  ]
  return changes.length > 0 ? changes : [{ description: 'the registry is written in another way', loosens: false }]
}

function intentChanges(old: Intent | null, current: Intent): GovernanceChange[] {
  const { id } = current
  if (!old) return [{ description: `${id} is new, with the scope ${scopeText(current.owned_scope)}`, loosens: false }]
  if (JSON.stringify(old) === JSON.stringify(current)) return []
  // No scope is wider than `**`.
  const all = old.owned_scope.includes('**')
  const wider = addedItems(old.owned_scope, current.owned_scope).filter(it => !all && !it.startsWith('!'))
  const opened = addedItems(current.owned_scope, old.owned_scope).filter(it => it.startsWith('!'))
  const changes: GovernanceChange[] = [
    ...loosening([...wider, ...opened], `${id} may touch more: ${scopeText([...wider, ...opened])}`),
    ...loosening(addedItems(current.constraints, old.constraints), `${id} has lost a constraint`),
    ...loosening(addedItems(criterionTexts(current), criterionTexts(old)), `${id} has lost a criterion`),
    ...loosening(isReopened(old, current) ? [id] : [], `${id} was ${old.status}, and is ${current.status} again`),
  ]
  return changes.length > 0 ? changes : [{ description: `${id} is changed`, loosens: false }]
}

function isReopened(old: Intent, current: Intent): boolean {
  return isFinalStatus(old.status) && old.status !== current.status
}

function loosening(reasons: readonly string[], description: string): GovernanceChange[] {
  return reasons.length > 0 ? [{ description, loosens: true }] : []
}

function criterionTexts({ acceptance_criteria }: Intent): string[] {
  return acceptance_criteria.map(it => JSON.stringify(it))
}

function addedItems(before: readonly string[], after: readonly string[]): string[] {
  return after.filter(it => !before.includes(it))
}

function scopeText(scope: readonly string[]): string {
  return scope.length === 0 ? 'of nothing' : scope.map(it => printable(it)).join(', ')
}

// An added line forbids more, unless it makes an exception.
function listChange({ path, before, after }: GovernanceFile): GovernanceChange {
  const read = path === INTENTIGNORE_PATH ? patternsIn : forbiddingLines
  const [old, current] = [read(before ?? ''), read(after ?? '')]
  const loosens = addedItems(current, old).length > 0 || addedItems(old, current).some(it => it.startsWith('!'))
  return { description: `${path} forbids ${loosens ? 'less, or something else' : 'no less than before'}`, loosens }
}

function patternsIn(text: string): string[] {
  return text.split(/\r?\n/).filter(it => it.trim() !== '' && !it.startsWith('#'))
}

// A constraint is prose, so any removed list item may have been one.
function forbiddingLines(text: string): string[] {
  return [...forbiddenPaths(text), ...text.split(/\r?\n/).filter(it => /^\s*(?:[-*+]|\d+[.)])\s/.test(it))]
}
