import { printable } from '../../text/printable.ts'
import { compilePolicy } from '../../policy/compile-policy.ts'
import { tryJudgeNewCommits } from '../../commits/try-judge-new-commits.ts'
import { endSessions } from '../../sessions/live-sessions.ts'
import { resolveSession } from '../../sessions/resolve-session.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { namedSession } from '../options.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef session end`: ends a session and releases its claim; the intent's status does not change. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { id } = await resolveSession(workspace, namedSession(call))
  await tryJudgeNewCommits(workspace)
  const ended = await endSessions(workspace, it => it.id === id)
  await compilePolicy(workspace)
  const lines = ended.map(it => `Ended session ${printable(it.id)}; the status of ${it.intent} did not change.`)
  return { text: lines.join('\n'), json: { ended } }
}
