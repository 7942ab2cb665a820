import { KotefError } from '../../../core/base/failure.ts'
import { addJsonEntries, type JsonEntries, removeJsonEntries } from './json-entries.ts'
import { addTomlLines, removeTomlLines } from './toml-text.ts'
import { MANDATE } from '../../../core/agents/context/context-text.ts'
import { INTENT_REQUIRED_MESSAGE } from '../../../core/agents/gate/reasons.ts'
import { KOTEF_ANYWHERE } from '../../../core/base/kotef-command.ts'

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

const SECTION_BEGIN = '<!-- kotef:begin -->'
const SECTION_END = '<!-- kotef:end -->'

/** A prompt file with kotef's section: in place of the present one, or at the end. */
function addPromptSection(text: string, path: string): string {
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  const section = PROMPT_SECTION.replaceAll('\n', line)
  const found = findSection(text, path)
  if (found) return text.slice(0, found.start) + section + text.slice(found.end)
  if (text === '') return `${section}${line}`
  return `${text}${text.endsWith('\n') ? line : line + line}${section}${line}`
}

/** A prompt file without kotef's section; null when nothing else is in it. */
function removePromptSection(text: string, path: string): string | null {
  const found = findSection(text, path)
  if (!found) return text
  const before = text.slice(0, found.start)
  const after = text.slice(found.end).replace(/^\r?\n/, '')
  // addPromptSection added the empty line above.
  const left = before.replace(/(\n)\r?\n$/, '$1') + after
  return left.trim() === '' ? null : left
}

function findSection(text: string, path: string): { readonly start: number; readonly end: number } | null {
  const starts = [...text.matchAll(/^<!-- kotef:begin -->/gm)].map(it => it.index)
  const ends = [...text.matchAll(/^<!-- kotef:end -->/gm)].map(it => it.index + SECTION_END.length)
  const start = starts[0]
  const end = ends[0]
  if (start === undefined && end === undefined) return null
  if (start === undefined || end === undefined || starts.length + ends.length > 2 || end < start) {
    throw new KotefError(
      'agent-config',
      `The lines around kotef's section in ${path} do not form a pair: ${SECTION_BEGIN} and ${SECTION_END}`,
      {
        hint: `Remove these lines and the rest of the section, then run \`kotef init\` again.`,
      },
    )
  }
  return { start, end }
}

const PROMPT_SECTION = `${SECTION_BEGIN}
## Intents

kotef governs this repository: what is written belongs to an intent, which says what is wanted and which paths it owns.

${MANDATE}

- Until an intent is selected, writing and running is refused: "${INTENT_REQUIRED_MESSAGE}"
- Select with \`select_active_intent\` of the MCP server \`kotef\`; \`list_intents\` names the intents. Where the tool
  is not in sight, look for it with \`tool_search\`. Without that server and without kotef's hooks, run
  \`${KOTEF_ANYWHERE} intent list\`, then \`${KOTEF_ANYWHERE} intent start <id> --agent <name>\`,
  where the name is your own; hooks refuse this command, so with them ask the user to connect the server. When no
  intent fits, ask the user.
- Write inside the scope of the intent only; \`${KOTEF_ANYWHERE} context\` says what it is, what else
  holds, and what was done. After a refusal do not look for another way: ask with \`request_scope_expansion\`, or ask
  the user.
- One session works on one intent. For another one a new session is started.
- A git hook puts the trailer \`Intent-ID\` on each commit: leave it there, and write none yourself. What governs this
  repository (\`.orchestration\`, the settings of agents, this section) is for people to change, in commits with a
  trailer \`Governance: <why>\`.
${SECTION_END}`
