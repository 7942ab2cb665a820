import { LIMIT_NAMES, PROFILE_NAMES } from './limits.ts'
import { objectOrNull } from '../base/payload.ts'

const OPTIONS = [
  ...['checks', 'appetite', 'profile', 'limits', 'recursionLimit', 'goal', 'clock', 'store', 'endNodes'],
] as readonly string[]
const APPETITES: readonly unknown[] = ['Small', 'Batch', 'Big', null, undefined]

/** What is wrong with the options of a run, each as a part of a sentence: a limit that nobody reads stops nothing. */
export function runOptionProblems(options: unknown): string[] {
  const given = objectOrNull(options)
  if (!given) return ['expected an object of options']
  const { profile, limits = {}, appetite, checks = [], recursionLimit = 0 } = given
  const named = objectOrNull(limits)
  const isKnown = profile === undefined || PROFILE_NAMES.some(it => it === profile)
  const areTexts = Array.isArray(checks) && checks.every(it => typeof it === 'string')
  return [
    ...unknownIn('option', Object.keys(given), OPTIONS),
    ...(isKnown ? [] : [`expected \`profile\` to be one of ${PROFILE_NAMES.join(', ')}`]),
    ...(APPETITES.includes(appetite) ? [] : ['expected `appetite` to be Small, Batch or Big']),
    ...(areTexts ? [] : ['expected `checks` to be a list of ids']),
    ...(isCount(recursionLimit) ? [] : ['expected `recursionLimit` to be a whole number, 0 for none']),
    ...(named ? unknownIn('limit', Object.keys(named), LIMIT_NAMES) : ['expected `limits` to be an object']),
    ...Object.entries(named ?? {}).flatMap(([name, it]) =>
      Number.isFinite(it) ? [] : [`expected the limit \`${name}\` to be a number`],
    ),
  ]
}

function unknownIn(what: string, names: readonly string[], known: readonly string[]): string[] {
  const unknown = names.filter(it => !known.includes(it)).map(it => `\`${it}\``)
  return unknown.length === 0 ? [] : [`the ${what} ${unknown.join(', ')} is none of ${known.join(', ')}`]
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
