import { KotefError } from '../../findings/failure.ts'
import { type JsonEntries, addJsonEntries, removeJsonEntries } from './json-entries.ts'
import { addPromptSection, removePromptSection } from './prompt-section.ts'
import { addTomlLines, removeTomlLines } from './toml-text.ts'

/** A file in which an agent is told of kotef, and how kotef comes into it and out again. */
export type AgentFile = {
  /** From the top of the worktree. */
  readonly path: string
  readonly mode: number
  /** The file with kotef in it, or what a person is to put there by hand; `text` is null where there is no file. */
  readonly add: (text: string | null) => string | { readonly paste: string }
  /** The file without kotef; null when nothing is left. */
  readonly remove: (text: string) => string | null
}

/** Hooks and the server, in a file of JSON. */
export function jsonAgentFile(file: JsonEntries): AgentFile {
  return {
    path: file.path,
    mode: 0o644,
    add: text => addJsonEntries(text ?? '{}\n', file),
    remove: text => removeJsonEntries(text, file),
  }
}

/** The server, in a file of TOML. */
export function tomlAgentFile(path: string, lines: readonly string[]): AgentFile {
  return {
    path,
    mode: 0o644,
    add: text => addTomlLines(text ?? '', lines, path) ?? { paste: lines.join('\n') },
    remove: removeTomlLines,
  }
}

/** A section of a file that people write for agents. */
export function promptAgentFile(path: string): AgentFile {
  return {
    path,
    mode: 0o644,
    add: text => addPromptSection(text ?? '', path),
    remove: text => removePromptSection(text, path),
  }
}

/** A file that is kotef's alone. */
export function ownAgentFile(
  path: string,
  { agent, text, mode = 0o644 }: { agent: string; text: string; mode?: number },
): AgentFile {
  const isOwn = (found: string) => found.includes(`agent-hook ${agent}`)
  return {
    path,
    mode,
    add: found => {
      if (found === null || isOwn(found)) return text
      throw new KotefError('agent-config', `${path} is there already, and is not kotef's.`, {
        hint: `Give it another name: \`git mv ${path} <name>\``,
      })
    },
    remove: found => (isOwn(found) ? null : found),
  }
}

/** True for a text that tells an agent of kotef. */
export function mentionsKotef(text: string): boolean {
  return /kotef\/agent|agent-hook|kotef:begin|"kotef"/.test(text)
}
