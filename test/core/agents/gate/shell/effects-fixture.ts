import { type Command, parse } from 'unbash'
import type { Effect } from '../../../../../src/core/agents/gate/shell/effect.ts'
import { type Arg, argOf } from '../../../../../src/core/agents/gate/shell/arguments.ts'

/** The arguments of the one command in a line, without its name. */
export function argsOf(line: string): readonly Arg[] {
  return commandIn(line).args.map(argOf)
}

/** The name of the command in a line. */
export function programOf(line: string): string {
  return argOf(commandIn(line).name ?? unnamed()).text ?? ''
}

function unnamed(): never {
  throw new Error('The command has no name.')
}

/** The one command in a line. */
export function commandIn(line: string): Command {
  const node = parse(line).commands[0]?.command
  if (node?.type !== 'Command') throw new Error(`${line} is not one command`)
  return node
}

/**
 * Effects as short texts: `write a`, `write tree a`, `write a/b` for a name in a folder, `switch …`, or the kind. Where
 * it works, and what it moves, is not shown.
 */
export function shownEffects(effects: readonly Effect[] | null): readonly string[] | null {
  return effects && [...new Set(effects.filter(it => !/^(?:folder|moved)$/.test(it.kind)).map(shownEffect))]
}

function shownEffect(effect: Effect): string {
  if (effect.kind === 'switch') return `switch ${effect.what}`
  if (effect.kind !== 'write') return effect.kind
  const { path, into = [], tree, maybe } = effect
  const names = into.length > 0 ? `${path}/{${into.join(',')}}` : path
  return ['write', ...(maybe ? ['maybe'] : []), ...(tree ? ['tree'] : []), names].join(' ')
}
