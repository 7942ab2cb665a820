import { askForge } from '../io/forge/forge-request.ts'
import { askingAgain } from '../io/forge/ask-again.ts'
import { type ForgeComments, forgeComments } from '../io/forge/forge-comments.ts'
import { commentPlan, commentText } from '../../core/report/review/sticky-comment.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { changeRequestOf } from './change-request.ts'

/**
 * Puts a report into the one comment of kotef's on the pull or merge request of this pipeline. What was done, or why
 * it could not be done, as a sentence: a forge that does not answer changes no verdict.
 */
export async function keepComment(workspace: Workspace, env: NodeJS.ProcessEnv, report: string): Promise<string> {
  const request = await changeRequestOf(workspace, env)
  if (typeof request === 'string') return request
  return putComment(forgeComments(request, askingAgain(askForge)), report).catch(
    (thrown: unknown) => `No comment: ${reasonOf(thrown)}`,
  )
}

/** Writes the report into the earlier comment, or into a new one. */
async function putComment(comments: ForgeComments, report: string): Promise<string> {
  const plan = commentPlan(await comments.list())
  if (plan.kind === 'create') {
    await comments.create(commentText(report))
    return 'The report is a new comment.'
  }
  await comments.update(plan.id, commentText(report))
  for (const id of plan.remove) await comments.remove(id)
  return 'The report is in the earlier comment.'
}

// Node hides why a connection failed in the cause.
function reasonOf(thrown: unknown): string {
  const { message, cause } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
