import { forbiddenPaths } from '../scope/forbidden.ts'
import type { Intent } from '../intents/intent.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import { readRegistry } from '../intents/registry.ts'
import { printable } from '../report/printable.ts'
import { isFinal } from './words.ts'

/** A file of the governance plane before and after a commit; null where there is none. */
export type Governed = { readonly path: string; readonly before: string | null; readonly after: string | null }

/** What a change of the governance plane comes to, in words; `loosens` when more is allowed by it than before. */
export type GovernanceChange = { readonly what: string; readonly loosens: boolean }

/** Says what a change of one file of the governance plane means for the rules. */
export function governanceChanges({ path, before, after }: Governed): GovernanceChange[] {
  if (path === REGISTRY_PATH) return registryChanges(before ?? '', after)
  if (path === '.intentignore' || path === '.sdd/KOTEF.md') return [listChange({ path, before, after })]
  const how = before === null ? 'is new' : after === null ? 'is gone' : 'is changed'
  return [{ what: `${printable(path)} ${how}`, loosens: true }]
}

function registryChanges(before: string, after: string | null): GovernanceChange[] {
  if (after === null) return [{ what: 'the registry is gone', loosens: true }]
  const [old, anew] = [readRegistry(before).intents, readRegistry(after)]
  if (anew.problems.length > 0) return [{ what: "the registry can't be read any more", loosens: true }]
  const gone = old.filter(it => !anew.intents.some(({ id }) => id === it.id))
  const changes = [
    ...anew.intents.flatMap(it => intentChanges(old.find(({ id }) => id === it.id) ?? null, it)),
    ...gone.map(({ id }) => ({ what: `${id} is gone`, loosens: false })),
  ]
  return changes.length > 0 ? changes : [{ what: 'the registry is written in another way', loosens: false }]
}

function intentChanges(old: Intent | null, anew: Intent): GovernanceChange[] {
  const { id } = anew
  if (!old) return [{ what: `${id} is new, with the scope ${listed(anew.owned_scope)}`, loosens: false }]
  if (JSON.stringify(old) === JSON.stringify(anew)) return []
  // Nothing is wider than all.
  const all = old.owned_scope.includes('**')
  const wider = added(old.owned_scope, anew.owned_scope).filter(it => !all && !it.startsWith('!'))
  const opened = added(anew.owned_scope, old.owned_scope).filter(it => it.startsWith('!'))
  const changes: GovernanceChange[] = [
    ...loosened([...wider, ...opened], `${id} may touch more: ${listed([...wider, ...opened])}`),
    ...loosened(added(anew.constraints, old.constraints), `${id} has lost a constraint`),
    ...loosened(added(texts(anew), texts(old)), `${id} has lost a criterion`),
    ...loosened(isReopened(old, anew) ? [id] : [], `${id} was ${old.status}, and is ${anew.status} again`),
  ]
  return changes.length > 0 ? changes : [{ what: `${id} is changed`, loosens: false }]
}

function isReopened(old: Intent, anew: Intent): boolean {
  return isFinal(old.status) && old.status !== anew.status
}

function loosened(reasons: readonly string[], what: string): GovernanceChange[] {
  return reasons.length > 0 ? [{ what, loosens: true }] : []
}

function texts({ acceptance_criteria }: Intent): string[] {
  return acceptance_criteria.map(it => JSON.stringify(it))
}

function added(before: readonly string[], after: readonly string[]): string[] {
  return after.filter(it => !before.includes(it))
}

function listed(scope: readonly string[]): string {
  return scope.length === 0 ? 'of nothing' : scope.map(it => printable(it)).join(', ')
}

// A line more forbids more, unless it makes an exception.
function listChange({ path, before, after }: Governed): GovernanceChange {
  const read = path === '.intentignore' ? patternsIn : barsIn
  const [old, anew] = [read(before ?? ''), read(after ?? '')]
  const loosens = added(anew, old).length > 0 || added(old, anew).some(it => it.startsWith('!'))
  return { what: `${path} forbids ${loosens ? 'less, or something else' : 'no less than before'}`, loosens }
}

function patternsIn(text: string): string[] {
  return text.split(/\r?\n/).filter(it => it.trim() !== '' && !it.startsWith('#'))
}

// A constraint is prose: a line that is gone may have been one.
function barsIn(text: string): string[] {
  return [...forbiddenPaths(text), ...text.split(/\r?\n/).filter(it => /^\s*(?:[-*+]|\d+[.)])\s/.test(it))]
}
