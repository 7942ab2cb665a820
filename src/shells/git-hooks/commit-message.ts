import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  cleanMessage,
  isEmptyToGit,
  isUnchangedTemplate,
  type MessageCleanup,
} from '../../core/git/trailers/cleanup.ts'
import { citationIn } from '../../core/git/trailers/commits.ts'
import { parseTrailers, type Trailer, trailerValues } from '../../core/git/trailers/parse-trailers.ts'
import {
  cleanupFor,
  type MessageSettings,
  messageSettings,
  olderMessageSettings,
  supportsCommentString,
} from '../../core/git/trailers/message-settings.ts'
import { withPickedLine, withTrailer } from '../../core/git/trailers/add-trailer.ts'
import { gatherHere, tryAskGitSync } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'
import type { PolicyIntent } from '../../core/intents/scope/policy.ts'
import { trailersInAnyParagraph, uncommentLines, unindentLines } from '../../core/git/trailers/combined-messages.ts'
import { isReplaying } from '../../core/git/git-operation.ts'
import { LARGE_FILE_BYTES_MAX, readRegularFileSync } from '../../world/io/files/regular-file.ts'

/** A message file, and how git will clean it up. The text is latin1, so that the bytes of any encoding survive. */
export type CommitMessage = {
  readonly file: string
  readonly text: string
  readonly cleanup: MessageCleanup
  /** True when git is about to refuse the message: it is empty, or equals its template. */
  readonly isEmpty: boolean
  /** True when the user typed no word in the editor, even if git keeps its own comments. */
  readonly isBlank: boolean
  readonly trailers: readonly Trailer[]
  /** The intents that it cites, in its trailer block or in one of several, as readers of the history find them. */
  readonly cited: readonly string[]
  /** Intents that it names where no program finds a trailer. */
  readonly misplaced: readonly string[]
}

/** Reads a message file as a hook gets it. */
export function readCommitMessage(context: Pick<HookContext, 'compiled' | 'hasEditor'>, file: string): CommitMessage {
  const text = readRegularFileSync(file, MESSAGE_SIZE)?.toString('latin1') ?? ''
  const cleanup = cleanupFor(text, { ...readMessageSettings(), edited: context.hasEditor })
  const cleaned = cleanMessage(text, cleanup)
  const template = cleanMessage(readTemplate(context), cleanup)
  const bare: MessageCleanup = cleanup.edited ? { ...cleanup, mode: 'strip' } : cleanup
  const trailers = parseTrailers(cleaned, cleanup.syntax)
  const citation = citationIn(cleaned)
  return {
    file,
    text,
    cleanup,
    isEmpty: isEmptyToGit(cleaned, cleanup) || isUnchangedTemplate(cleaned, template, cleanup),
    isBlank: isEmptyToGit(cleanMessage(text, bare), bare),
    trailers,
    ...citation,
    cited: [...new Set([...trailerValues(trailers, 'Intent-ID'), ...citation.cited])],
  }
}

function readMessageSettings(): MessageSettings {
  const settings = tryAskGitSync(messageSettings)
  if (settings === null) return { comment: null, isString: false, cleanup: null, keys: [] }
  const knows = !settings.isString || tryAskGitSync({ args: ['version'], parse: supportsCommentString })
  return knows ? settings : (tryAskGitSync(olderMessageSettings) ?? { ...settings, comment: null })
}

// prepare-commit-msg keeps a copy of the template when git made the message from one.
function readTemplate({ compiled }: Pick<HookContext, 'compiled'>): string {
  try {
    return readRegularFileSync(join(compiled, 'template'))?.toString('latin1') ?? ''
  } catch {
    return ''
  }
}

/** The trailers to add to a message. */
export type AddedTrailers = {
  readonly intents: readonly string[]
  readonly reasons: readonly string[]
  /** Heads of the ledger. */
  readonly anchors?: readonly string[]
  /** Commits that are picked, and that the message does not name. */
  readonly picked?: readonly string[]
}

/**
 * Adds a trailer for each intent, each reason of a governance change and each head of the ledger to the file, and a
 * line for each picked commit.
 */
export function addTrailers({ file, text, cleanup: how }: CommitMessage, added: AddedTrailers): void {
  const { intents, reasons, anchors = [], picked = [] } = added
  const trailers = [
    ...reasons.map(value => ({ key: 'Governance', value })),
    ...intents.map(value => ({ key: 'Intent-ID', value })),
    ...anchors.map(value => ({ key: 'Trace', value })),
  ]
  if (trailers.length + picked.length === 0) return
  const stamped = trailers.reduce((sum, trailer) => withTrailer(sum, trailer, how), text)
  const written = picked.reduce((sum, commit) => withPickedLine(sum, commit, how), stamped)
  writeFileSync(file, written, 'latin1')
}

type MessageContext = { readonly comment: string; readonly intents: readonly Pick<PolicyIntent, 'id'>[] }

/**
 * The intents cited by the commits that git combines into one: by a squash or fixup of a rebase, or by
 * `git merge --squash`. An id that is not in the registry is dropped, because a commit that cites it would be refused.
 */
export function squashedIntents(context: HookContext, { comment, intents }: MessageContext): string[] {
  const ids = trailerValues(squashedTrailers(context, comment), 'Intent-ID')
  return [...new Set(ids)].filter(id => intents.some(it => it.id === id))
}

/** The reasons of the governance commits among those that git combines into one. */
export function squashedReasons(context: HookContext, { comment }: Pick<MessageContext, 'comment'>): string[] {
  return [...new Set(trailerValues(squashedTrailers(context, comment), 'Governance'))].filter(it => it !== '')
}

function squashedTrailers(context: HookContext, comment: string): readonly Trailer[] {
  // Git comments out the message of a fixup, which it drops.
  const parts = isSquashing(context)
    ? uncommentLines(readGitFile(context, SQUASH_MESSAGE), comment)
    : unindentLines(gatherHere(isReplaying(context)) ? '' : readGitFile(context, 'SQUASH_MSG'))
  return trailersInAnyParagraph(parts)
}

/** True while a rebase combines several commits. */
export function isSquashing({ gitDir }: Pick<HookContext, 'gitDir'>): boolean {
  return existsSync(join(gitDir, SQUASH_MESSAGE))
}

// Git joins the messages of all commits that it combines.
const MESSAGE_SIZE = { bytesMax: LARGE_FILE_BYTES_MAX }

const SQUASH_MESSAGE = 'rebase-merge/message-squash'

function readGitFile({ gitDir }: Pick<HookContext, 'gitDir'>, name: string): string {
  try {
    return readRegularFileSync(join(gitDir, name), MESSAGE_SIZE)?.toString('latin1') ?? ''
  } catch {
    return ''
  }
}
