import { KotefError } from '../../findings/failure.ts'
import { type JsonEntries, addJsonEntries, removeJsonEntries } from './json-entries.ts'
import { addPromptSection, removePromptSection } from './prompt-section.ts'
import { addTomlLines, removeTomlLines } from './toml-text.ts'

/** A file that makes an agent call kotef or read about it, with the edits that add and remove kotef. */
export type AgentFile = {
  /** Relative to the root of the worktree. */
  readonly path: string
  readonly mode: number
  /** The file with kotef, or a text that a person has to paste into it. `text` is null when there is no file. */
  readonly add: (text: string | null) => string | { readonly paste: string }
  /** The file without kotef; null when nothing is left. */
  readonly remove: (text: string) => string | null
}

/** A JSON file with hooks and the MCP server. */
export function jsonAgentFile(file: JsonEntries): AgentFile {
  return {
    path: file.path,
    mode: 0o644,
    add: text => addJsonEntries(text ?? '{}\n', file),
    remove: text => removeJsonEntries(text, file),
  }
}

/** A TOML file with the MCP server. */
export function tomlAgentFile(path: string, lines: readonly string[]): AgentFile {
  return {
    path,
    mode: 0o644,
    add: text => addTomlLines(text ?? '', lines, path) ?? { paste: lines.join('\n') },
    remove: removeTomlLines,
  }
}

/** A prompt file, which people write for agents, with a section of kotef's. */
export function promptAgentFile(path: string): AgentFile {
  return {
    path,
    mode: 0o644,
    add: text => addPromptSection(text ?? '', path),
    remove: text => removePromptSection(text, path),
  }
}

/** A file that belongs to kotef alone. */
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
      throw new KotefError('agent-config', `${path} exists already, and is not kotef's.`, {
        hint: `Rename it: \`git mv ${path} <name>\``,
      })
    },
    remove: found => (isOwn(found) ? null : found),
  }
}

/** True for a text with an entry or a section of kotef's. */
export function mentionsKotef(text: string): boolean {
  return /kotef\/agent|agent-hook|kotef:begin|"kotef"/.test(text)
}
