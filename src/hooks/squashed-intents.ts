import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PolicyIntent } from '../scope/policy.ts'
import { trailersInAnyParagraph, uncommentLines, unindentLines } from '../trailers/combined-messages.ts'
import { trailerValues } from '../trailers/parse-trailers.ts'
import { isReplaying } from '../commits/git-operation.ts'
import { gatherHere } from './gather-here.ts'
import type { HookContext } from './hook-context.ts'

type MessageContext = { readonly comment: string; readonly intents: readonly Pick<PolicyIntent, 'id'>[] }

/**
 * The intents cited by the commits that git combines into one: by a squash or fixup of a rebase, or by
 * `git merge --squash`. An id that is not in the registry is dropped, because a commit that cites it would be refused.
 */
export function squashedIntents(context: HookContext, { comment, intents }: MessageContext): string[] {
  // Git comments out the message of a fixup, which it drops.
  const parts = isSquashing(context)
    ? uncommentLines(readGitFile(context, SQUASH_MESSAGE), comment)
    : unindentLines(gatherHere(isReplaying(context)) ? '' : readGitFile(context, 'SQUASH_MSG'))
  const ids = trailerValues(trailersInAnyParagraph(parts), 'Intent-ID')
  return [...new Set(ids)].filter(id => intents.some(it => it.id === id))
}

/** True while a rebase combines several commits. */
export function isSquashing({ gitDir }: Pick<HookContext, 'gitDir'>): boolean {
  return existsSync(join(gitDir, SQUASH_MESSAGE))
}

const SQUASH_MESSAGE = 'rebase-merge/message-squash'

function readGitFile({ gitDir }: Pick<HookContext, 'gitDir'>, name: string): string {
  try {
    return readFileSync(join(gitDir, name), 'latin1')
  } catch {
    return ''
  }
}
