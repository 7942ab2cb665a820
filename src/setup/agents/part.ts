import { KotefError } from '../../report/failure.ts'
import { type JsonFile, withOurs, withoutOurs } from './json-file.ts'
import { type Json, nodeOf } from './json-text.ts'
import { withSection, withoutSection } from './section.ts'
import { withLines, withoutLines } from './toml-file.ts'

/** A file in which an agent is told of kotef, and how kotef comes into it and out again. */
export type Part = {
  /** From the top of the worktree. */
  readonly path: string
  readonly mode: number
  /** The file with kotef in it, or what a person is to put there by hand; `text` is null where there is no file. */
  readonly join: (text: string | null) => string | { readonly paste: string }
  /** The file without kotef; null when nothing is left. */
  readonly leave: (text: string) => string | null
}

/** Hooks and the server, in a file of JSON. */
export function jsonPart(file: JsonFile): Part {
  return {
    path: file.path,
    mode: 0o644,
    join: text => (text !== null && isCommented(text) ? { paste: pasteOf(file) } : withOurs(text ?? '{}\n', file)),
    leave: text => (isCommented(text) ? text : withoutOurs(text, file)),
  }
}

/** The server, in a file of TOML. */
export function tomlPart(path: string, lines: readonly string[]): Part {
  return {
    path,
    mode: 0o644,
    join: text => withLines(text ?? '', lines, path) ?? { paste: lines.join('\n') },
    leave: withoutLines,
  }
}

/** A section of a file that people write for agents. */
export function sectionPart(path: string): Part {
  return {
    path,
    mode: 0o644,
    join: text => withSection(text ?? '', path),
    leave: text => withoutSection(text, path),
  }
}

/** A file that is kotef's alone. */
export function ownPart(
  path: string,
  { agent, text, mode = 0o644 }: { agent: string; text: string; mode?: number },
): Part {
  const isOwn = (found: string) => found.includes(`agent-hook ${agent}`)
  return {
    path,
    mode,
    join: found => {
      if (found === null || isOwn(found)) return text
      throw new KotefError('agent-config', `${path} is there already, and is not kotef's.`, {
        hint: `Give it another name: \`git mv ${path} <name>\``,
      })
    },
    leave: found => (isOwn(found) ? null : found),
  }
}

/** True for JSON with comments or commas at the end of lists: an agent may read it, but no program can keep it so. */
export function isCommented(text: string): boolean {
  return nodeOf(text) === null && nodeOf(withoutComments(text)) !== null
}

/** JSON as a strict reader takes it. */
export function withoutComments(text: string): string {
  return text
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, it => (it.startsWith('"') ? it : ''))
    .replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, it => (it.startsWith('"') ? it : ''))
}

/** True for a text that tells an agent of kotef. */
export function isMention(text: string): boolean {
  return /kotef\/agent|agent-hook|kotef:begin|"kotef"/.test(text)
}

function pasteOf({ hooks, server, also = {} }: JsonFile): string {
  const calls = hooks && Object.fromEntries(Object.entries(hooks).map(([event, value]) => [event, [value]]))
  const whole: Record<string, Json> = {
    ...also,
    ...(calls ? { hooks: calls } : {}),
    ...(server ? { [server.under]: { kotef: server.value } } : {}),
  }
  return JSON.stringify(whole, null, 2)
}
