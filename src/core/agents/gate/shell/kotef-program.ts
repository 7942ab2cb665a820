import { type Effect, opaqueEffects, writeEffects } from './effect.ts'
import type { Arg } from './arguments.ts'
import { REGISTRY_PATH } from '../../../base/governance-files.ts'

/** The effects of a kotef command: some are for persons only, some change what the gate judges by. */
export function kotefEffects(args: readonly Arg[]): Effect[] {
  const words = args.map(it => it.text ?? it.source)
  const [verb = '', subverb = ''] = words.filter(it => !it.startsWith('-'))
  const name = `${verb} ${subverb}`
  const isPersons = PERSON_VERBS.has(verb) && !words.includes('--list')
  if (isPersons || PERSON_VERBS.has(name)) return switchEffects(`kotef ${isPersons ? verb : name}`)
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

// They end or replace what the gate judges by, answer for a person, or speak for an agent's own program.
const PERSON_VERBS = new Set([
  ...['uninit', 'approve', 'attest', 'mine', 'agent-hook', 'mcp', 'lsp', 'trace close', 'session end'],
  ...['start', 'complete', 'abandon', 'block', 'reopen'].map(it => `intent ${it}`),
])

const READ_ONLY_VERBS = new Set([
  ...'status log show why blame stats verify trace context explain doctor completion scope flush approve help'.split(
    ' ',
  ),
  ...[
    'intent list',
    'intent show',
    'session list',
    'session show',
    'runs list',
    'runs show',
    'lesson list',
    'config check',
    '',
  ],
])
