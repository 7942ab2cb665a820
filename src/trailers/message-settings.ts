import type { GitQuery } from '../git/query.ts'
import type { MessageCleanup, CleanupMode } from './cleanup.ts'
import { CUT_LINE, cutLineIndex, isBlankLine, messageLines } from './message-lines.ts'

/** What git's config says about messages; null where it says nothing. */
export type MessageSettings = {
  /** The last of `core.commentChar` and `core.commentString`, and whether the latter is among them. */
  readonly comment: string | null
  readonly isString: boolean
  readonly cleanup: string | null
  /** The names and keys of `trailer.*`, in small letters. */
  readonly keys: readonly string[]
}

/** Asks for all that bears on messages at once. */
export const messageSettings = settingsQuery('comment(char|string)')

/** As `messageSettings`, for a git that does not know `core.commentString` yet. */
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

/** True when a version, as `git version` tells it, knows `core.commentString`. */
export function supportsCommentString(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 45)
}

/** How git will clean a message file (latin1), as far as the config and the file itself can tell. */
export function cleanupFor(
  message: string,
  { edited, ...settings }: MessageSettings & { edited: boolean },
): MessageCleanup {
  // Settings are UTF-8 text, and messages one character a byte.
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

// An editor that is `:` looks like none at all; but git puts a blank line before its comments, and none before a text.
function hasOnlyComments(lines: readonly string[], comment: string): boolean {
  return lines[0] === '\n' && lines.every(it => isBlankLine(it) || it.startsWith(comment))
}

// With `auto` git takes the first of these that no line of the message begins with, and says so in lines of its own:
// the cut line, or one that has nothing but the character.
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
  // `--cleanup=scissors` shows in the file alone: none of git's own lines is above the cut line.
  const cut = cutLineIndex(lines, comment)
  return cut > 0 && !lines[cut - 1]?.startsWith(comment) ? 'scissors' : 'strip'
}
