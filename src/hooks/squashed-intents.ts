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
 * The intents that the commits cite which git puts together into one: by a squash or fixup of a rebase, or by
 * `git merge --squash`. An id that the registry does not have is left behind, for nothing could be committed for it.
 */
export function squashedIntents(context: HookContext, { comment, intents }: MessageContext): string[] {
  // A fixup's message is among them as a comment, since git drops it.
  const parts = isSquashing(context)
    ? uncommentLines(readGitFile(context, SQUASH_MESSAGE), comment)
    : unindentLines(gatherHere(isReplaying(context)) ? '' : readGitFile(context, 'SQUASH_MSG'))
  const ids = trailerValues(trailersInAnyParagraph(parts), 'Intent-ID')
  return [...new Set(ids)].filter(id => intents.some(it => it.id === id))
}

/** True while a rebase puts several commits together. */
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
