import { type Effect, opaqueEffects } from './effect.ts'
import type { Arg } from './word.ts'

/** What it does to give a variable a value: a few names are heard by programs, and some by git and by kotef. */
export function assignmentEffects(name: string): Effect[] {
  if (name === 'KOTEF') return [{ kind: 'switch', what: 'KOTEF=0' }]
  if (name.startsWith('GIT_CONFIG')) return [{ kind: 'switch', what: name }]
  return HARMLESS_VARIABLE.test(name) ? [] : opaqueEffects(`programs go by ${name}`)
}

// Small letters are a script's own names, but for those by which zsh finds its programs.
const HARMLESS_VARIABLE_NAMES = [
  ...['[a-z_][a-z0-9_]*', '[A-Z]', 'LC_\\w+', 'LANG', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'TERM', 'COLUMNS'],
  ...['LINES', 'IFS', 'DEBUG', 'GIT_OPTIONAL_LOCKS'],
]
const HARMLESS_VARIABLE = new RegExp(`^(?!(?:path|cdpath|fpath|module_path)$)(?:${HARMLESS_VARIABLE_NAMES.join('|')})$`)

/** What a command of the shell's own does to names and settings; null for any other. */
export function builtinEffects(name: string, args: readonly Arg[]): Effect[] | null {
  switch (name) {
    case 'export':
    case 'readonly':
    case 'declare':
    case 'local':
    case 'typeset':
      return args.flatMap(it => declarationEffects(it))
    case 'read':
    case 'unset':
      return args.flatMap(it => variableEffects(it))
    case 'set':
      return args.every(isPlainSetting)
        ? []
        : opaqueEffects('the settings show only when it runs, or reach other programs')
    case 'exit':
      return []
    default:
      return null
  }
}

function variableEffects({ text }: Arg): Effect[] {
  if (text === null || !/^(?:-[rs]+|[A-Za-z_]\w*)$/.test(text)) return opaqueEffects('it computes')
  return text.startsWith('-') ? [] : assignmentEffects(text)
}

// With `a` and `k` it hands names on to the programs that it starts.
function isPlainSetting({ text }: Arg): boolean {
  return (
    text !== null &&
    (!/^[-+]/.test(text) || /^[-+](?:[bCefhmnuvxEoT]*|-)$/.test(text)) &&
    !/^(?:allexport|keyword)$/.test(text)
  )
}

function declarationEffects({ text, source }: Arg): Effect[] {
  if (text !== null && /^-[xgrp]+$/.test(text)) return []
  const [, name] = /^["']?([A-Za-z_]\w*)(?:\+?=|$)/.exec(source) ?? []
  return name === undefined ? opaqueEffects('it declares what shows only when it runs') : assignmentEffects(name)
}
