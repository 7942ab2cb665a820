import { type AgentRun, freshTurn, restart } from './agent-run.ts'
import { HELD_MAX, HELD_ON_TREE_MAX } from './limits.ts'

/** A check of the definition of done that has not passed on the tree. */
export type OpenCheck = { readonly command: string; readonly why: 'not run' | 'failed' | 'timeout' | 'error' }

/** Whether an agent may stop, and what it would leave undone. */
export type StopAnswer = { readonly isHeld: boolean; readonly open: readonly OpenCheck[] }

/**
 * Answers an agent that is about to stop, and counts in place how often it was held. It is held when it has changed
 * files since the person's last message and a check has not passed on them. It is released after three times on one
 * tree, or six in all: Claude Code itself gives up after eight.
 */
export function answerStop(run: AgentRun, tree: string): StopAnswer {
  const open = openChecks(run, tree)
  const { turn } = run
  const held = turn.heldOn === tree ? turn.held : 0
  const isIdle = turn.tree === tree || run.state.end !== null || !run.terms.holdsAtStop
  const isHeld = !isIdle && open.length > 0 && held < HELD_ON_TREE_MAX && turn.heldInAll < HELD_MAX
  if (isHeld) run.turn = { ...turn, heldOn: tree, held: held + 1, heldInAll: turn.heldInAll + 1 }
  return { isHeld, open }
}

function openChecks({ terms, state }: AgentRun, tree: string): OpenCheck[] {
  return terms.checks.flatMap((command): OpenCheck[] => {
    const latest = state.checks.find(it => it.id === command)
    if (latest?.tree !== tree || latest.result === 'stale' || latest.result === 'skipped')
      return [{ command, why: 'not run' }]
    return latest.result === 'passed' ? [] : [{ command, why: latest.result }]
  })
}

/** A person's message begins a turn, in place; after an end the run begins again. `at`: milliseconds since 1970. */
export function beginTurn(run: AgentRun, tree: string, at: number): void {
  if (run.state.end) restart(run, at)
  run.turn = freshTurn(tree)
}
