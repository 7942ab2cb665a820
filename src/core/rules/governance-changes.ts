import { forbiddenPaths } from '../intents/contract/forbidden-paths.ts'
import { choreLimits, type Intent, keepsBehaviour } from '../intents/intent.ts'
import { type Config, readConfig } from '../intents/config.ts'
import { enforcementsIn, isLoosened } from '../intents/enforcement.ts'
import {
  CONFIG_PATH,
  INTENTIGNORE_PATH,
  isRegistryPath,
  REGISTRY_PATH,
  PROJECT_POLICY_PATH,
} from '../base/governance-files.ts'
import { readRegistryFile } from '../intents/registry.ts'
import { printable } from '../base/printable.ts'
import { isFinalStatus } from '../intents/lifecycle.ts'

/** A governance file before and after a commit; null where there is no file. */
export type GovernanceFile = {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** The intents of the whole registry before the commit: one may have been moved into another file. */
  readonly intents?: readonly Intent[]
}

/**
 * A change of a governance file in words, and its effect: it adds an intent, widens a scope, loosens the rules in
 * another way, takes kotef out of the repository, or allows no more than before.
 */
export type GovernanceChange = {
  readonly description: string
  readonly effect: 'adds' | 'widens' | 'loosens' | 'leaves' | 'none'
}

/** The meaning of a governance file's change for the rules. */
export function governanceChanges({ path, before, after, intents = [] }: GovernanceFile): GovernanceChange[] {
  if (path === REGISTRY_PATH) return registryChanges(before ?? '', after, intents)
  if (isRegistryPath(path)) return intentFileChanges({ path, before, after, intents })
  if (path === INTENTIGNORE_PATH || path === PROJECT_POLICY_PATH) return [listChange({ path, before, after })]
  if (path === CONFIG_PATH && onlyTightens(before, after))
    return [{ description: `${path} enforces more`, effect: 'none' }]
  const how = before === null ? 'is new' : after === null ? 'is gone' : 'is changed'
  return [{ description: `${printable(path)} ${how}`, effect: 'loosens' }]
}

// Any other key of a config than these may allow more, in ways that only a person can weigh.
function onlyTightens(before: string | null, after: string | null): boolean {
  if (after === null) return false
  const old = readConfig(before)
  const current = readConfig(after)
  const isSound = old.problems.length + current.problems.length === 0
  const { anchor, enforce, block_from, rules, agents, claims, handover, opaque_commands, unset_clones, verify } =
    old.config
  const weighed = {
    anchor,
    enforce,
    block_from,
    rules,
    agents,
    claims,
    handover,
    opaque_commands,
    unset_clones,
    verify,
  }
  const isMorePublic = current.config.public.some(it => !old.config.public.includes(it))
  const others =
    JSON.stringify({ ...current.config, ...weighed, public: old.config.public }) === JSON.stringify(old.config)
  const allowsMore = STRICTEST_FIRST.some(
    ([read, order]) => order.indexOf(read(current.config)) > order.indexOf(read(old.config)),
  )
  return (
    isSound &&
    others &&
    !allowsMore &&
    !isMorePublic &&
    !isLoosened(enforcementsIn(old.config), enforcementsIn(current.config))
  )
}

// The values of these keys, the strictest one first.
const STRICTEST_FIRST: readonly (readonly [read: (config: Config) => string, order: readonly string[]])[] = [
  [({ agents }) => agents.temporary, ['deny', 'allow']],
  [({ agents }) => agents.ignored, ['deny', 'allow']],
  [({ claims }) => claims, ['deny', 'allow']],
  [it => it.opaque_commands, ['deny', 'ask', 'allow-and-watch']],
  [it => it.unset_clones, ['block', 'pass']],
  [it => it.anchor, ['trailer', 'none']],
  [({ handover }) => handover.gates, ['person', 'anyone']],
  [({ verify }) => verify.governance, ['strict', 'review']],
  [({ verify }) => verify.lands, ['squash', 'rebase', 'merge', 'any']],
]

function registryChanges(before: string, after: string | null, intents: readonly Intent[]): GovernanceChange[] {
  if (after === null) return [{ description: LEAVING, effect: 'leaves' }]
  const old = readList(before).intents
  const current = readList(after)
  if (current.problems.length > 0) return [{ description: "the registry can't be read any more", effect: 'loosens' }]
  const changes = intentListChanges(withMoved(old, current.intents, intents), current.intents)
  return changes.length > 0 ? changes : [{ description: 'the registry is written in another way', effect: 'none' }]
}

const LEAVING = 'the registry is gone: kotef leaves, and nothing after this commit is judged'

function readList(text: string) {
  return readRegistryFile({ path: REGISTRY_PATH, text })
}

// The file of an intent, which goes when the intent goes.
function intentFileChanges({ path, before, after, intents = [] }: GovernanceFile): GovernanceChange[] {
  const [old, current] = [before, after].map(it => (it === null ? NO_FILE : readRegistryFile({ path, text: it })))
  if (!old || !current || current.problems.length > 0)
    return [{ description: `${printable(path)} can't be read any more`, effect: 'loosens' }]
  const changes = intentListChanges(withMoved(old.intents, current.intents, intents), current.intents)
  return changes.length > 0
    ? changes
    : [{ description: `${printable(path)} is written in another way`, effect: 'none' }]
}

// An intent that this file has now, and another file had, is not new.
function withMoved(old: readonly Intent[], current: readonly Intent[], all: readonly Intent[]): Intent[] {
  const missing = current.filter(it => !old.some(({ id }) => id === it.id)).map(it => it.id)
  return [...old, ...all.filter(it => missing.includes(it.id))]
}

const NO_FILE = { intents: [], problems: [] }

/** The differences of two lists of intents, in words. */
export function intentListChanges(old: readonly Intent[], current: readonly Intent[]): GovernanceChange[] {
  const gone = old.filter(it => !current.some(({ id }) => id === it.id))
  return [
    ...current.flatMap(it => intentChanges(old.find(({ id }) => id === it.id) ?? null, it)),
    ...gone.map(({ id }) => ({ description: `${id} is gone`, effect: 'none' as const })),
  ]
}

function intentChanges(old: Intent | null, current: Intent): GovernanceChange[] {
  const { id } = current
  if (!old) return [{ description: `${id} is new, with the scope ${scopeText(current.owned_scope)}`, effect: 'adds' }]
  if (JSON.stringify(old) === JSON.stringify(current)) return []
  const wider = addedItems(old.owned_scope, current.owned_scope).filter(it => !isWithin(it, old.owned_scope))
  const opened = addedItems(current.owned_scope, old.owned_scope).filter(it => it.startsWith('!'))
  const changes: GovernanceChange[] = [
    ...described([...wider, ...opened], `${id} may touch more: ${scopeText([...wider, ...opened])}`, 'widens'),
    ...described(addedItems(current.constraints, old.constraints), `${id} has lost a constraint`, 'loosens'),
    ...described(addedItems(criterionTexts(current), criterionTexts(old)), `${id} has lost a criterion`, 'loosens'),
    ...described(servesMore(old, current) ? [id] : [], `${id} may serve more than before`, 'widens'),
    ...described(
      keepsBehaviour(old) && !keepsBehaviour(current) ? [id] : [],
      `${id} may change behaviour now`,
      'loosens',
    ),
    ...described(
      isReopened(old, current) ? [id] : [],
      `${id} was ${old.status}, and is ${current.status} again`,
      'loosens',
    ),
  ]
  return changes.length > 0 ? changes : [{ description: `${id} is changed`, effect: 'none' }]
}

// No scope is wider than `**`, and everything that `src/api/**` matches lies in `src/**`.
function isWithin(pattern: string, scope: readonly string[]): boolean {
  if (pattern.startsWith('!') || scope.includes('**')) return true
  const folders = scope.filter(it => /^[\w./-]+\/\*\*$/.test(it)).map(it => it.slice(0, -2))
  return folders.some(it => pattern.startsWith(it))
}

// An intent for work serves commits of every size, and of agents.
function servesMore(old: Intent, current: Intent): boolean {
  const before = choreLimits(old)
  const after = choreLimits(current)
  return before !== null && (after === null || after.files > before.files || after.lines > before.lines)
}

function isReopened(old: Intent, current: Intent): boolean {
  return isFinalStatus(old.status) && old.status !== current.status
}

function described(
  reasons: readonly string[],
  description: string,
  effect: GovernanceChange['effect'],
): GovernanceChange[] {
  return reasons.length > 0 ? [{ description, effect }] : []
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
  const old = read(before ?? '')
  const current = read(after ?? '')
  const loosens = addedItems(current, old).length > 0 || addedItems(old, current).some(it => it.startsWith('!'))
  const how = loosens ? 'less, or something else' : 'no less than before'
  return { description: `${path} forbids ${how}`, effect: loosens ? 'loosens' : 'none' }
}

function patternsIn(text: string): string[] {
  return text.split(/\r?\n/).filter(it => it.trim() !== '' && !it.startsWith('#'))
}

// A constraint is prose, so any removed list item may have been one.
function forbiddingLines(text: string): string[] {
  return [...forbiddenPaths(text), ...text.split(/\r?\n/).filter(it => /^\s*(?:[-*+]|\d+[.)])\s/.test(it))]
}
