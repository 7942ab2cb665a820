import type { GitQuery } from '../query.ts'
import type { MessageCleanup, CleanupMode } from './cleanup.ts'
import { CUT_LINE, cutLineIndex, isBlankLine, messageLines } from './parse-trailers.ts'

/** The settings of git's config for messages; null where a key is not set. */
export type MessageSettings = {
  /** The last value of `core.commentChar` and `core.commentString`, and whether the latter is set. */
  readonly comment: string | null
  readonly isString: boolean
  readonly cleanup: string | null
  /** The names and keys of `trailer.*`, in lower case. */
  readonly keys: readonly string[]
}

/** Asks git for all settings of messages at once. */
export const messageSettings = settingsQuery('comment(char|string)')

/** As `messageSettings`, for a git without `core.commentString` (before 2.45). */
export const olderMessageSettings = settingsQuery('commentchar')

function settingsQuery(comment: string): GitQuery<MessageSettings> {
  return {
    args: ['config', '-z', '--get-regexp', String.raw`^(core\.${comment}|commit\.cleanup|trailer\..+\..+)$`],
    parse: parseSettings,
  }
}

function parseSettings(out: string): MessageSettings {
  const entries = out.split('\0').map(it => [it.replace(/\n[^]*/, ''), it.replace(/^.*\n?/, '')] as const)
  const comments = entries.filter(([key]) => key.startsWith('core.'))
  return {
    comment: comments.at(-1)?.[1] ?? null,
    isString: comments.some(([key]) => key === 'core.commentstring'),
    cleanup: entries.findLast(([key]) => key === 'commit.cleanup')?.[1] ?? null,
    keys: entries.flatMap(([key, value]) => trailerKeys(key, value)),
  }
}

function trailerKeys(key: string, value: string): string[] {
  const [, name, part] = /^trailer\.(.+)\.([^.]+)$/.exec(key) ?? []
  if (name === undefined) return []
  return (part === 'key' ? [name, value] : [name]).map(it => it.toLowerCase())
}

/** True when a version, as `git version` prints it, has `core.commentString`. */
export function supportsCommentString(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 45)
}

/** How git will clean up a message file (latin1), as far as the config and the file show it. */
export function cleanupFor(
  message: string,
  { edited, ...settings }: MessageSettings & { edited: boolean },
): MessageCleanup {
  // Settings are UTF-8 text, and messages have one character for each byte.
  const configured = Buffer.from(settings.comment || '#', 'utf8').toString('latin1')
  const isAuto = configured.toLowerCase() === 'auto'
  const lines = messageLines(message)
  const comment = isAuto ? autoComment(lines) : configured
  const edit = {
    comment,
    edited: edited || hasOnlyComments(lines, comment),
    syntax: { comment: isAuto ? '#' : configured, keys: settings.keys },
  }
  return { ...edit, mode: cleanupMode(lines, edit, settings.cleanup) }
}

// The editor `:` looks like no editor, but git writes a blank line before its comments, and none before a text.
function hasOnlyComments(lines: readonly string[], comment: string): boolean {
  return lines[0] === '\n' && lines.every(it => isBlankLine(it) || it.startsWith(comment))
}

// With `auto` git uses the first of these that no line of the message begins with. It shows in git's own lines: the cut
// line, or a line with only that character.
const CANDIDATES = '#;@!$%^&|:'.split('')

function autoComment(lines: readonly string[]): string {
  const cut = lines.find(it => it.slice(2) === `${CUT_LINE}\n` && CANDIDATES.includes(it.charAt(0)))
  const own = cut ?? lines.findLast(it => it.length === 2 && CANDIDATES.includes(it.charAt(0)))
  return own?.charAt(0) ?? '#'
}

type EditedMessage = Pick<MessageCleanup, 'comment' | 'edited'>

function cleanupMode(
  lines: readonly string[],
  { comment, edited }: EditedMessage,
  cleanup: string | null,
): CleanupMode {
  if (cleanup === 'strip' || cleanup === 'whitespace' || cleanup === 'verbatim') return cleanup
  if (!edited) return 'whitespace'
  if (cleanup === 'scissors') return 'scissors'
  // `--cleanup=scissors` is visible only in the file: none of git's own lines is above the cut line.
  const cut = cutLineIndex(lines, comment)
  return cut > 0 && !lines[cut - 1]?.startsWith(comment) ? 'scissors' : 'strip'
}
