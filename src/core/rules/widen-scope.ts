import { shellQuoted } from '../base/printable.ts'
import { isFinalStatus, isOpen } from '../intents/lifecycle.ts'
import { constraintOnPath, type PathJudge } from '../intents/scope/judge-path.ts'
import type { Policy, PolicyIntent } from '../intents/scope/policy.ts'
import { intentsOwning } from './commit-facts.ts'

/** What decides who owns a path, and the intents that a commit is for. */
export type ScopeContext = { readonly policy: Policy; readonly judge: PathJudge; readonly cited: readonly string[] }

type Intents = Pick<Policy, 'intents'>

/**
 * The command that widens a scope by a path: of the first of some intents, or of the first that is open. None does that
 * whose constraints close the path.
 */
export function widenHint(path: string, ids: readonly string[], policy: Intents): string {
  const intent = widened([path], ids, policy)
  if (intent === undefined) return "add an intent for it: `kotef intent add --name 'what it is for' --scope 'src/**'`"
  return `widen a scope: \`${widenCommand(intent, [path])}\``
}

/** One line for several paths that no intent owns, with a glob for each folder; null where a path has an owner. */
export function widenAllHint(paths: readonly string[], { policy, judge, cited }: ScopeContext): string | null {
  const owners = policy.intents.filter(it => !isFinalStatus(it.status))
  const isFree = paths.length > 1 && paths.every(path => intentsOwning(path, owners, judge).length === 0)
  const intent = isFree ? widened(paths, cited, policy) : undefined
  if (intent === undefined) return null
  const others = policy.intents.filter(it => it.id !== intent)
  return `Widen a scope by all of them: \`${widenCommand(intent, globsOf(paths, others))}\``
}

function widened(paths: readonly string[], [id]: readonly string[], { intents }: Intents): string | undefined {
  const candidates = id === undefined ? intents.filter(it => isOpen(it.status)) : intents.filter(it => it.id === id)
  const known = candidates.find(it => paths.every(path => !constraintOnPath(path, it.constraints)))?.id
  return known ?? (candidates.length === 0 ? id : undefined)
}

function widenCommand(intent: string, globs: readonly string[]): string {
  return `kotef intent edit ${intent} ${globs.map(it => `--add-scope ${shellQuoted(it)}`).join(' ')} --commit`
}

/** A glob for the paths of each folder at the top; the paths themselves where other intents own something below. */
function globsOf(paths: readonly string[], others: readonly PolicyIntent[]): string[] {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const [top = ''] = path.split('/')
    groups.set(top, [...(groups.get(top) ?? []), path])
  }
  return [...groups.values()].flatMap(group => {
    const folder = sharedFolder(group)
    const isOthers = others.some(it => it.owned_scope.some(glob => glob.replace(/^!/, '').startsWith(folder)))
    const isPlain = folder !== '' && !/[*?{}[\]()!@+\\]/.test(folder)
    return group.length > 1 && isPlain && !isOthers ? [`${folder}**`] : group
  })
}

/** The longest folder that some paths are in, with the slash at its end; empty for the top. */
function sharedFolder([first = '', ...paths]: readonly string[]): string {
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  while (folder !== '' && !paths.every(it => it.startsWith(folder)))
    folder = folder.slice(0, folder.slice(0, -1).lastIndexOf('/') + 1)
  return folder
}
