import { OPTIONS, PROGRAMS, SCRIPTS, WRAPPERS } from './command-words.ts'
import { published, type SafeText, safe } from './safe-text.ts'

/**
 * A command line in words that say nothing of its values: `DB_PASSWORD=x npm test -- --token=y` is
 * `npm test --token`. Every word of the result is one of a list, never one of the line.
 */
export function describedCommand(line: string): SafeText {
  const commands = simpleCommands(line.slice(0, LINE_CHARS_MAX)).map(describedWords)
  const known = commands.filter((it, n) => it !== null || n === commands.length - 1).map(it => it ?? OTHER)
  const distinct = known.filter((it, n) => it !== known[n - 1])
  if (distinct.length === 0) return safe`another program`
  const shown = distinct.slice(0, COMMANDS_MAX).join(' ; ')
  return published(distinct.length > COMMANDS_MAX ? `${shown} ; …` : shown)
}

const OTHER = 'another program'
const LINE_CHARS_MAX = 2_000
const COMMANDS_MAX = 3
const OPTIONS_MAX = 5

// A word with its quotes, or what divides two commands.
const PARTS = /(?:[^\s'"\\|&;()]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+|[|&;()\n]+/g

function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]]
  for (const [part] of line.matchAll(PARTS)) {
    if (/^[|&;()\n]/.test(part)) commands.push([])
    else commands.at(-1)?.push(part.replace(/^(['"])([^]*)\1$/, '$2'))
  }
  return commands.filter(it => it.length > 0)
}

function describedWords(words: readonly string[]): string | null {
  const [program = '', ...rest] = words.slice(words.findIndex(it => !ASSIGNMENT.test(it)))
  const name = program.slice(program.lastIndexOf('/') + 1)
  const follows = PROGRAMS.get(name)
  if (follows === undefined || words.every(it => ASSIGNMENT.test(it))) return null
  if (WRAPPERS.has(name)) return describedWrapped(name, rest)
  const subcommands = followingWords(rest, follows)
  return [name, ...subcommands, ...optionNames(rest)].join(' ')
}

const ASSIGNMENT = /^\w+\+?=/

// The first word that is the name of a program, after the wrapper's options.
function describedWrapped(name: string, rest: readonly string[]): string {
  const at = rest.findIndex(it => !ASSIGNMENT.test(it) && !it.startsWith('-') && !/^\d+[smhd]?$/.test(it))
  const inner = at === -1 ? null : describedWords(rest.slice(at))
  return inner === null ? name : `${name} ${inner}`
}

// `run` is followed by the name of a script, `-m` by that of a module; anything else ends the words.
function followingWords(rest: readonly string[], follows: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (const it of rest) {
    if (it.startsWith('-')) continue
    const isScript = RUNS_SCRIPT.test(found.at(-1) ?? '') && it.split(':').every(part => SCRIPTS.has(part))
    if (found.length === WORDS_MAX || !(follows.has(it) || isScript)) break
    found.push(it)
  }
  return found
}

const WORDS_MAX = 2
const RUNS_SCRIPT = /^(?:run|exec|compose)$/

function optionNames(rest: readonly string[]): string[] {
  const names = rest.flatMap(it => {
    const [, long] = /^--([\w-]+)(?:=|$)/.exec(it) ?? []
    if (long !== undefined) return OPTIONS.has(long) ? [`--${long}`] : []
    return /^-[A-Za-z]$/.test(it) ? [it] : []
  })
  return [...new Set(names)].slice(0, OPTIONS_MAX)
}
