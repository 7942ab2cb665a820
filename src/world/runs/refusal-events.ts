import type { Reason } from '../../core/agents/gate/reasons.ts'
import { published, safe, safePath, type SafeText } from '../../core/outgoing/safe-text.ts'
import type { SafeEvent } from '../../core/runs/safe-event.ts'
import { cloneSalt } from '../io/worktree/private-files.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** True for what a constraint of the contract forbids: breaking one ends a run at once. */
export function isConstraintOfContract(code: string): boolean {
  return code.startsWith('constraint-')
}

/** A refusal: of a call by its reason, of a commit by the rule of its finding. */
export type RefusedWrite = {
  readonly code: Reason['code'] | 'constraint-dependency'
  readonly path: string | null
}

/** Refused writes as events: of the same path by the same rule it is the same one. */
export async function refusalEvents(
  worktree: Pick<Workspace, 'commonDir' | 'files'>,
  refused: readonly RefusedWrite[],
): Promise<SafeEvent[]> {
  if (refused.length === 0) return []
  const salt = await cloneSalt(worktree)
  return refused.map(({ code, path }) => {
    const rule = path === null ? published(code) : safe`${published(code)} ${safePath(path, salt)}`
    return { kind: 'violation', isHard: isConstraintOfContract(code), rule, detail: detailOf(code) }
  })
}

function detailOf(code: RefusedWrite['code']): SafeText {
  return code === 'constraint-command' ? safe`the command was refused` : safe`the write was refused`
}
