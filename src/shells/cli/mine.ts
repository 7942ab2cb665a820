import { KotefError } from '../../core/base/failure.ts'
import { plural, printable } from '../../core/base/printable.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import { STATUS_FLUSH_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { changesInWorktree } from '../../world/code/meaning/changed-files.ts'
import { loadPolicy } from '../../world/intents/policy/load-policy.ts'
import { flushDaemon } from '../../world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { type TakenOver, takeOver } from '../../world/recording/agent-activity/take-over.ts'
import { requirePerson, requireTerminal } from './person.ts'
import { repositoryPath, resolveFile } from './repository-path.ts'
import type { RunVerb } from './verb.ts'

/** `kotef mine`: a person says at a terminal who wrote what is not committed of some paths. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { person, remarks } = await requirePerson(call, workspace, { what: 'say that a person wrote it' })
  const named = Array.isArray(call.args[0]) ? call.args[0].map(String) : []
  requireTerminal(call, '`kotef mine`', 'Run it at a terminal yourself.')
  const files = await Promise.all(named.map(it => resolveFile(call.cwd, it)))
  const paths = files.map(it => repositoryPath(workspace.root, it) || '.')
  const outside = paths.find(it => it === '..' || it.startsWith('../'))
  if (outside !== undefined)
    throw new KotefError('usage', `${printable(outside)} is outside of this worktree.`, {
      hint: `Name a file or a folder below ${printable(workspace.root)}`,
    })
  const changes = await changesInWorktree(workspace.git, paths)
  if (changes.length === 0)
    throw new KotefError('usage', 'Nothing is uncommitted there, and what is committed stays as it is.', {
      hint: 'List what is not committed: `git status --short`',
    })
  // What was saved just now is to be in the ledger.
  await flushDaemon(workspace, STATUS_FLUSH_WAIT_MS_MAX)
  const judge = judgePath(await loadPolicy(workspace))
  const isGovernance = (path: string): boolean => judge([], path).kind === 'governance'
  const taken = await takeOver(
    workspace,
    changes.filter(it => !isGovernance(it.path)),
    person,
  )
  const governance = changes.filter(it => isGovernance(it.path)).map(it => governanceLine(it.path))
  const lines = [...taken.map(takenLine), ...governance, ...(taken.some(it => it.writes > 0) ? remarks : [])]
  return { text: lines.join('\n'), json: null }
}

function governanceLine(path: string): string {
  return `${printable(path)}: a governance file; a person approves it: \`git add\` it, then \`kotef approve\``
}

function takenLine({ path, writes, agents }: TakenOver): string {
  const rest =
    agents === 0
      ? ''
      : `; ${plural(agents, 'write')} by the edit tool of an agent ${agents === 1 ? 'stays' : 'stay'} its own`
  if (writes > 0) return `${printable(path)}: yours (${plural(writes, 'write')})${rest}`
  return `${printable(path)}: ${agents === 0 ? 'no agent is recorded as its author' : 'nothing to take over'}${rest}`
}
