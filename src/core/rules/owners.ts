import { plural, printable, shellQuoted } from '../base/printable.ts'
import type { PolicyIntent } from '../intents/scope/policy.ts'
import { choreFlaw, chorePaths } from './chores.ts'
import { intentsOwning, openIntents, type RetryForm, type SortedChanges, type StagedFacts } from './commit-facts.ts'

/** The open intents that own the paths of a commit: what a refusal may name, and the trailers that would be enough. */
export type Owners = {
  /** As words: `INT-001 owns src/a.ts; INT-002 or INT-003 owns docs/b.md and 3 more paths`. Empty without a path. */
  readonly words: string
  /** Of every intent that is needed; null where some path has no owner. */
  readonly trailers: readonly string[] | null
}

/** The owners of paths, of each of which an intent must be cited. */
export function ownersOf(
  paths: readonly string[],
  facts: Pick<StagedFacts, 'policy' | 'chores' | 'byAgent'>,
  sorted: SortedChanges,
): Owners {
  const { policy } = facts
  const open = openIntents(policy)
  const work = open.filter(it => !it.chores)
  const served = servedChores(paths, facts, sorted)
  const byPath = new Map(
    paths.map(path => [path, served.get(path) ?? intentsOwning(path, work, sorted.judge)] as const),
  )
  return { words: ownerWords(byPath), trailers: fewestIntents(byPath, open) }
}

// A path can't be committed for a standing intent that does not serve it.
function servedChores(
  paths: readonly string[],
  facts: Pick<StagedFacts, 'policy' | 'chores' | 'byAgent'>,
  sorted: SortedChanges,
): Map<string, PolicyIntent[]> {
  const served = [...chorePaths(paths, facts, sorted)].filter(([it, own]) => choreFlaw(it, own, facts) === null)
  return new Map(served.flatMap(([it, own]) => own.map(path => [path, [it]] as const)))
}

function ownerWords(byPath: ReadonlyMap<string, readonly PolicyIntent[]>): string {
  const groups = new Map<string, string[]>()
  for (const [path, owners] of byPath) {
    const key = owners.map(it => it.id).join(' or ') || 'no intent'
    groups.set(key, [...(groups.get(key) ?? []), path])
  }
  return [...groups]
    .map(([owners, [path = '', ...more]]) => `${owners} owns ${printable(path)}${andMore(more)}`)
    .join('; ')
}

function andMore(more: readonly string[]): string {
  return more.length === 0 ? '' : ` and ${plural(more.length, 'more path')}`
}

// The intent that owns the most of what is left comes first; of equal ones, the first in the registry.
function fewestIntents(
  byPath: ReadonlyMap<string, readonly PolicyIntent[]>,
  open: readonly PolicyIntent[],
): string[] | null {
  const chosen: string[] = []
  for (
    let left = [...byPath.values()];
    left.length > 0;
    left = left.filter(it => !it.some(by => chosen.includes(by.id)))
  ) {
    const counts = new Map<string, number>()
    for (const { id } of left.flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
    const [most] = [...counts].sort(([, a], [, b]) => b - a)
    if (!most || left.some(it => it.length === 0)) return null
    chosen.push(most[0])
  }
  return open.map(it => it.id).filter(it => chosen.includes(it))
}

/**
 * The line that makes a refused commit again with trailers for some intents; for a made commit, the trailers. One
 * trailer can replace that of the message.
 */
export function trailersHint(
  intents: readonly string[],
  retry: RetryForm | null,
  { replaces = false }: { readonly replaces?: boolean } = {},
): string {
  if (retry) {
    const git = replaces ? 'git -c trailer.ifexists=replace' : 'git'
    const trailers = intents.map(it => ` --trailer 'Intent-ID: ${it}'`).join('')
    const { editor, messageFile, words } = retry
    return `Commit it with \`${git} commit -${editor}F ${shellQuoted(messageFile)}${trailers}${words}\``
  }
  const lines = intents.map(it => `\`Intent-ID: ${it}\``).join(' and ')
  return `Add the ${intents.length > 1 ? 'trailers' : 'trailer'} ${lines}`
}
