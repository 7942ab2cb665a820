import { type Effect, opaqueEffects } from './effect.ts'
import type { Arg } from './arguments.ts'

/** The effects of assigning a variable: some are read by programs, a few by git and kotef, most only by the script. */
export function assignmentEffects(name: string): Effect[] {
  if (name === 'KOTEF') return [{ kind: 'switch', what: 'the variable KOTEF' }]
  if (name.startsWith('GIT_CONFIG')) return [{ kind: 'switch', what: name }]
  return HARMLESS_VARIABLE.test(name) ? [] : opaqueEffects(`programs read ${name}`)
}

// Lower-case names are a script's own, except those by which zsh finds programs.
const HARMLESS_VARIABLE_NAMES = [
  ...['[a-z_][a-z0-9_]*', '[A-Z]', 'LC_\\w+', 'LANG', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'TERM', 'COLUMNS'],
  ...['LINES', 'IFS', 'DEBUG', 'GIT_OPTIONAL_LOCKS'],
]
const HARMLESS_VARIABLE = new RegExp(`^(?!(?:path|cdpath|fpath|module_path)$)(?:${HARMLESS_VARIABLE_NAMES.join('|')})$`)

/** The effects of a shell builtin that changes variables or settings; null for any other command. */
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
        : opaqueEffects('its settings are only known when it runs, or change other programs')
    case 'exit':
      return []
    default:
      return null
  }
}

function variableEffects({ text }: Arg): Effect[] {
  if (text === null || !/^(?:-[rs]+|[A-Za-z_]\w*)$/.test(text)) return opaqueEffects('it evaluates an expression')
  return text.startsWith('-') ? [] : assignmentEffects(text)
}

// The options `a` and `k` are missing: they export variables to the programs that the shell starts.
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
  return name === undefined
    ? opaqueEffects('it declares a name that is only known when it runs')
    : assignmentEffects(name)
}
