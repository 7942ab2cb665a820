import { dirname, join, normalize } from 'node:path/posix'
import { type Command, parse, type Statement } from 'unbash'
import { argOf } from './arguments.ts'

/** Whether a path, seen from the folder in which a line starts, is a folder, could be made one, or is neither. */
export type FolderTest = (path: string) => 'folder' | 'free' | 'other'

/**
 * A command line in which what follows `cd <folder>;` runs only after that succeeded, where it will succeed: the folder
 * is there, or the line has just made it, and nothing before could take it away. The line does the same as before, and
 * is read without the folder that the shell would stay in after a failure.
 */
export function withSureFolders(command: string, test: FolderTest): string {
  if (!/\bcd\b/.test(command)) return command
  const script = parse(command)
  if (script.errors && script.errors.length > 0) return command
  const edits: Edit[] = []
  collectEdits(script.commands, { text: command, end: command.length, test, edits, at: '', made: [] })
  return edits
    .toSorted((a, b) => b.pos - a.pos)
    .reduce((text, { pos, end, put }) => text.slice(0, pos) + put + text.slice(end), command)
}

type Edit = { readonly pos: number; readonly end: number; readonly put: string }

/** A list of statements that is being read: where its text ends, and the folder that the shell is in. */
type ListState = {
  readonly text: string
  readonly end: number
  readonly test: FolderTest
  readonly edits: Edit[]
  readonly at: string
  readonly made: readonly string[]
}

function collectEdits(list: readonly Statement[], state: ListState): void {
  let { at, made } = state
  for (const [n, statement] of list.entries()) {
    if (statement.background) return
    const node = statement.command
    // A folder that the parentheses change is theirs; what they do besides is not looked at.
    if (node.type === 'Subshell') return collectEdits(node.body.commands, { ...state, at, made, end: node.end - 1 })
    if (node.type !== 'Command') return
    const words = plainWords(node)
    const folder = words === null ? null : folderOf(words)
    const next = list[n + 1]
    if (folder !== null && next) {
      const to = folder.startsWith('/') ? normalize(folder) : join(at, folder)
      const edit = separatorEdit(state.text, statement, next)
      if (edit === null || !isSure(to, made, state.test)) return
      state.edits.push(edit, { pos: state.end, end: state.end, put: '\n}' })
      at = to
    } else if (words?.[0] === 'mkdir' && words.length > 1)
      made = [...made, ...words.slice(1).flatMap(it => (/^[-~/]/.test(it) ? [] : [join(at, it)]))]
    else if (!CALM.test(words?.[0] ?? '')) return
  }
}

/** The words of a command that sets no variable and redirects nothing; null where the shell makes one of them. */
function plainWords({ name, args, prefix, redirects }: Command): string[] | null {
  if (name === undefined || prefix.length + redirects.length > 0) return null
  const words = [argOf(name), ...args.map(argOf)].map(it => it.text)
  return words.every(it => it !== null && it !== '') ? (words as string[]) : null
}

function folderOf([name, to, ...more]: readonly string[]): string | null {
  return name === 'cd' && to !== undefined && more.length === 0 && !/^[-~]/.test(to) ? to : null
}

function isSure(path: string, made: readonly string[], test: FolderTest): boolean {
  if (test(path) === 'folder') return true
  return made.includes(path) && isMade(path, test)
}

// `mkdir` fails where a file is in the way, or a folder above is missing and `-p` is not given.
function isMade(path: string, test: FolderTest): boolean {
  if (test(path) !== 'free') return test(path) === 'folder'
  return dirname(path) === path || isMade(dirname(path), test)
}

function separatorEdit(text: string, { end }: Statement, { pos }: Statement): Edit | null {
  const between = text.slice(end, pos)
  const [, blank = '', rest = ''] = /^([ \t]*)[;\n](\s*)$/.exec(between) ?? []
  return /^[ \t]*[;\n]\s*$/.test(between) ? { pos: end, end: pos, put: `${blank} && {\n${rest}` } : null
}

// None of these removes or moves a folder, or gives `cd` another meaning.
const CALM = /^(?:echo|printf|set|pwd|ls|true|:|date|whoami)$/
