import type { Reason } from '../gate/reasons.ts'
import { published, safe, safePath } from '../outgoing/safe-text.ts'
import type { SafeEvent } from '../runs/safe-event.ts'
import { cloneSalt } from '../worktree/private-files.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** Refused writes as events: of the same path by the same rule it is the same one. */
export async function refusalEvents(
  worktree: LightWorktree,
  refused: readonly Pick<Reason, 'code' | 'path'>[],
): Promise<SafeEvent[]> {
  if (refused.length === 0) return []
  const salt = await cloneSalt(worktree)
  return refused.map(({ code, path }) => {
    const rule = path === null ? published(code) : safe`${published(code)} ${safePath(path, salt)}`
    return { kind: 'violation', isHard: false, rule, detail: safe`the write was refused` }
  })
}
