import { type Deed, opaque, writes } from './deed.ts'
import type { Arg } from './word.ts'

/** What a command of kotef does: some are for persons, and some change what the gate itself goes by. */
export function kotefDeeds(args: readonly Arg[]): Deed[] {
  const words = args.map(it => it.text ?? it.source)
  const [verb = '', below = ''] = words.filter(it => !it.startsWith('-'))
  if (verb === 'uninit' || (verb === 'approve' && !words.includes('--list'))) return banned(`kotef ${verb}`)
  if (words.includes('--stop')) return banned('stopping the daemon')
  if (args.some(it => it.text === null && !it.isOperand)) return opaque('what kotef is to do shows only when it runs')
  const isReading = READING.has(verb) || READING.has(`${verb} ${below}`)
  if (isReading && !words.includes('--fix')) return []
  if (/^intent (?:add|edit)$|^scope (?:add|rm)$/.test(`${verb} ${below}`))
    return writes(['.orchestration/active_intents.yaml'])
  return opaque(`kotef ${verb} changes what is recorded`)
}

function banned(what: string): Deed[] {
  return [{ does: 'switch', what }]
}

const READING = new Set([
  ...[
    'status',
    'log',
    'show',
    'why',
    'blame',
    'stats',
    'verify',
    'trace',
    'context',
    'explain',
    'doctor',
    'scope',
    'flush',
  ],
  ...['intent list', 'intent show', 'session list', 'session show', 'config check', 'approve', 'help', ''],
])
