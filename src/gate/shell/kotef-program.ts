import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import type { Arg } from './arguments.ts'
import { REGISTRY_PATH } from '../../paths/governance-files.ts'

/** The effects of a kotef command: some are for persons only, some change what the gate judges by. */
export function kotefEffects(args: readonly Arg[]): Effect[] {
  const words = args.map(it => it.text ?? it.source)
  const [verb = '', subverb = ''] = words.filter(it => !it.startsWith('-'))
  if (verb === 'uninit' || (verb === 'approve' && !words.includes('--list'))) return switchEffects(`kotef ${verb}`)
  if (`${verb} ${subverb}` === 'trace close') return switchEffects('kotef trace close')
  if (words.includes('--stop')) return switchEffects('stopping the daemon')
  if (args.some(it => it.text === null && !it.isOperand))
    return opaqueEffects('the kotef command is only known when it runs')
  if (words.at(-1) === '--help' && words.slice(0, -1).every(it => !it.startsWith('-'))) return []
  const isReading = READ_ONLY_VERBS.has(verb) || READ_ONLY_VERBS.has(`${verb} ${subverb}`)
  if (isReading && !words.some(it => /^--(?:fix|run-checks)/.test(it))) return []
  if (/^intent (?:add|edit)$/.test(`${verb} ${subverb}`)) return writeEffects([REGISTRY_PATH])
  return opaqueEffects(`kotef ${verb} changes recorded state`)
}

function switchEffects(what: string): Effect[] {
  return [{ kind: 'switch', what }]
}

const READ_ONLY_VERBS = new Set([
  ...'status log show why blame stats verify trace context explain doctor completion scope flush approve help'.split(
    ' ',
  ),
  ...['intent list', 'intent show', 'session list', 'session show', 'config check', ''],
])
