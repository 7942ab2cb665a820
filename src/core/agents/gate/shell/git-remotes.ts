import type { Arg } from './arguments.ts'
import { type Effect, opaqueEffects } from './effect.ts'

/**
 * What a git command loads from the repositories that it works with: a push into a folder runs the hooks there. Each
 * word may be such a folder, and each remote of the config may lead to one.
 */
export function remoteLoads(verb: string, rest: readonly Arg[]): Effect[] {
  if (!/^(?:push|fetch|remote)$/.test(verb)) return []
  const operands = rest.filter(it => it.isOperand && it.text !== '--')
  const words = rest.flatMap(it => it.text ?? []).map(it => it.replace(/^--repo=/, ''))
  if (words.some(it => PROGRAM_ADDRESS.test(it))) return opaqueEffects('git runs a program for such an address')
  const remote = verb === 'remote' ? undefined : operands[0]?.text
  if (remote === null) return opaqueEffects('the remote is only known when it runs')
  const folders = words.filter(it => !it.startsWith('-') && it !== '').map(it => (it === remote ? asPath(it) : it))
  return [
    { kind: 'load', what: 'remotes of git', path: '' },
    ...folders.map((path): Effect => ({ kind: 'load', what: 'repository of a remote', path })),
  ]
}

// `ext::sh -c …`; git runs `git-remote-<name>` for any other name.
const PROGRAM_ADDRESS = /^[\w-]+::/

// The name of a remote has no slash, as a rule.
function asPath(remote: string): string {
  return /^[^~.:/][^:]*\//.test(remote) ? `./${remote}` : remote
}
