import { intentName, type LineIntent } from '../authorship/line-intent.ts'
import type { GitAuthor } from '../git/blame.ts'
import type { Authorship } from '../ledger/commit-record.ts'
import { markdownText } from '../base/markdown.ts'
import { authorWords } from './author-words.ts'
import { type Evidence, EVIDENCE_TEXT } from './certainty.ts'
import { localTime } from './local-time.ts'

/** A line of a file with its author, as `kotef blame` knows it. */
export type AuthoredLine = {
  readonly line: number
  /** Null for a line that is not committed. */
  readonly commit: string | null
  readonly by: GitAuthor | null
  readonly author: Authorship
  readonly how: Evidence
} & Pick<LineIntent, 'either'>

/** The form of a text for an editor: Markdown where the editor shows it, else plain text. */
export type HoverForm = 'markdown' | 'plaintext'

/** What an editor shows about a line: its intent, author, session and commit. `name` is that of the intent. */
export function lineHover(line: AuthoredLine, { name, form }: { name: string | null; form: HoverForm }): string {
  const { commit, by, author, either, how } = line
  const intent = intentName({ intent: author.intent, either }) ?? 'none'
  const made = by === null ? '' : ` by ${by.name}, ${localTime(by.at).day}`
  return hoverText(form, [
    ['Intent', [intent, ...(name === null ? [] : [name])].join(', ')],
    ['Author', authorWords(line)],
    ...(author.session === null ? [] : [['Session', author.session] as const]),
    ['Commit', commit === null ? 'none yet' : `${commit.slice(0, 10)}${made}`],
    ...(how === 'none' ? [] : [['Known by', EVIDENCE_TEXT[how]] as const]),
  ])
}

/** The same for a line that differs from the file on disk. */
export function unsavedHover(form: HoverForm): string {
  return hoverText(form, [['Not saved', 'the author of this line is known once the file is saved']])
}

function hoverText(form: HoverForm, rows: readonly (readonly [label: string, text: string])[]): string {
  if (form === 'plaintext') return rows.map(([label, text]) => `${label}: ${text}`).join('\n')
  // Two spaces at the end of a line keep its end.
  return rows.map(([label, text]) => `**${label}** ${markdownText(text)}`).join('  \n')
}
