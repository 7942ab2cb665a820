import { type Deed, opaque } from './deed.ts'
import type { Arg } from './word.ts'

/** What it does to give a variable a value: a few names are heard by programs, and some by git and by kotef. */
export function assignmentDeeds(name: string): Deed[] {
  if (name === 'KOTEF') return [{ does: 'switch', what: 'KOTEF=0' }]
  if (name.startsWith('GIT_CONFIG')) return [{ does: 'switch', what: name }]
  return HARMLESS.test(name) ? [] : opaque(`programs go by ${name}`)
}

// Small letters are a script's own names, but for those by which zsh finds its programs.
const HARMLESS_NAMES = [
  ...['[a-z_][a-z0-9_]*', '[A-Z]', 'LC_\\w+', 'LANG', 'TZ', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'TERM', 'COLUMNS'],
  ...['LINES', 'IFS', 'DEBUG', 'GIT_OPTIONAL_LOCKS'],
]
const HARMLESS = new RegExp(`^(?!(?:path|cdpath|fpath|module_path)$)(?:${HARMLESS_NAMES.join('|')})$`)

/** What a command of the shell's own does to names and settings; null for any other. */
export function shellWordDeeds(name: string, args: readonly Arg[]): Deed[] | null {
  switch (name) {
    case 'export':
    case 'readonly':
    case 'declare':
    case 'local':
    case 'typeset':
      return args.flatMap(it => declared(it))
    case 'read':
    case 'unset':
      return args.flatMap(it => named(it))
    case 'set':
      return args.every(isPlainSetting) ? [] : opaque('the settings show only when it runs, or reach other programs')
    case 'exit':
      return []
    default:
      return null
  }
}

function named({ text }: Arg): Deed[] {
  if (text === null || !/^(?:-[rs]+|[A-Za-z_]\w*)$/.test(text)) return opaque('it computes')
  return text.startsWith('-') ? [] : assignmentDeeds(text)
}

// With `a` and `k` it hands names on to the programs that it starts.
function isPlainSetting({ text }: Arg): boolean {
  return (
    text !== null &&
    (!/^[-+]/.test(text) || /^[-+](?:[bCefhmnuvxEoT]*|-)$/.test(text)) &&
    !/^(?:allexport|keyword)$/.test(text)
  )
}

function declared({ text, source }: Arg): Deed[] {
  if (text !== null && /^-[xgrp]+$/.test(text)) return []
  const [, name] = /^["']?([A-Za-z_]\w*)(?:\+?=|$)/.exec(source) ?? []
  return name === undefined ? opaque('it declares what shows only when it runs') : assignmentDeeds(name)
}
