import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commitsInProgress, isMerging, isRebasing } from '../../core/git/git-operation.ts'
import { governanceFilesIn } from '../../core/rules/approval.ts'
import type { StagedFacts } from '../../core/rules/commit-facts.ts'
import { plural } from '../../core/base/printable.ts'
import { ownPath, STAGED_LESSONS, WAITING_LESSONS } from '../../world/io/worktree/layout.ts'
import { gatherHere } from './gather-here.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'

/**
 * Has lessons that wait go with the commit of an agent's work that is being made: a line that says so, or none. It
 * never throws, because no lesson is a reason to stop a commit.
 */
export async function carryLessonsHere(context: HookContext, facts: StagedFacts): Promise<readonly string[]> {
  if (!existsSync(join(context.shared, WAITING_LESSONS)) || !isAgentsWork(context, facts)) return []
  try {
    const { path, carried } = await askYamlHelper(context, 'carry-lessons', null)
    return carried === 0 ? [] : [`the commit takes ${plural(carried, 'lesson')} with it, in ${path}`]
  } catch {
    return []
  }
}

// A commit that git makes again stays what it was, and one of governance files has nothing else.
function isAgentsWork(context: HookContext, facts: StagedFacts): boolean {
  const { agents, changes, adoption } = facts
  if (agents.length === 0 || changes.length === 0 || adoption || governanceFilesIn(facts).length > 0) return false
  const isGits = gatherHere(isMerging(context)) || gatherHere(isRebasing(context))
  return !isGits && gatherHere(commitsInProgress(context)).length === 0
}

/** Has lessons leave a commit that is stopped. It never throws. */
export async function takeBackLessonsHere(context: HookContext): Promise<void> {
  if (!existsSync(ownPath(context, STAGED_LESSONS))) return
  try {
    await askYamlHelper(context, 'take-back-lessons', null)
  } catch {
    // They stay staged, and go with the next commit.
  }
}
