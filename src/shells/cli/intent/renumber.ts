import { type RenumberedIntent, renumberIntent } from '../../../world/lifecycle/renumber-intent.ts'
import { join } from 'node:path'
import { readRegistry } from '../../../core/intents/registry.ts'
import { intentFilePath } from '../../../core/intents/registry-text.ts'
import { REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { carryNotes } from '../../../world/provenance/carry-notes.ts'
import { plural } from '../../../core/base/printable.ts'
import { policyTextsAtHead } from '../../../world/io/worktree/head.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { firstArgument, type RunVerb, textOption } from '../verb.ts'
import { committing } from './change.ts'
import { approvingOwnEdit } from './own-edit.ts'

/** `kotef intent renumber`: another id for an intent, in the registry and in the branch's own commits. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const [, to] = call.args
  const wanted = { from: firstArgument(call), to: typeof to === 'string' ? to : null, range: textOption(call, 'range') }
  const renumbered = await approvingOwnEdit(call, workspace, () => renumberIntent(workspace, wanted))
  if (renumbered.commits.size > 0) await carryNotes(workspace, renumbered.commits, renumbered)
  const { intent, commits, sessions } = renumbered
  const advice = await committing(call, workspace, {
    subject: `renumber ${renumbered.from} to ${renumbered.to}`,
    before: null,
  })
  const isCommitted = call.options['commit'] === true
  const undo = await undoCommand(workspace, renumbered, isCommitted)
  const { push } = renumbered
  const pushed = push === null ? [] : [`  The branch was pushed: replace it there with \`${push}\``]
  const text = [doneLine(renumbered), ...advice, ...pushed, `  Undo it with \`${undo}\``].join('\n')
  return { text, json: { intent, from: renumbered.from, commits: Object.fromEntries(commits), sessions, push, undo } }
}

function doneLine({ from, to, intent, commits, cited, sessions }: RenumberedIntent): string {
  const others = commits.size - cited
  const after = others === 0 ? '' : ` and ${plural(others, 'commit')} after ${cited === 1 ? 'it' : 'them'}`
  const history = cited === 0 ? '' : `; ${plural(cited, 'commit')}${after} made again with its trailer`
  const work = sessions.length === 0 ? '' : `; ${plural(sessions.length, 'session')} moved to it`
  return `${from} is ${to} now: ${intent.name}${history}${work}`
}

// The trees of the commits are the same, so only the registry differs.
async function undoCommand(
  workspace: Workspace,
  { from, to, commits, sessions }: RenumberedIntent,
  isCommitted: boolean,
): Promise<string> {
  const back = commits.size > 0 ? ['git reset --keep ORIG_HEAD'] : isCommitted ? ['git reset --keep HEAD~1'] : []
  const start = sessions.length === 0 ? [] : [`kotef intent start ${from}`]
  if (isCommitted) return [...back, ...start].join(' && ')
  const [committed] = await policyTextsAtHead(workspace)
  const isKnown = readRegistry(committed ?? '').intents.some(it => it.id === from)
  if (!isKnown) return [...back, `kotef intent renumber ${to} ${from}`].join(' && ')
  const added = intentFilePath(to)
  const isOwnFile = (await workspace.files.modifiedAt(join(workspace.root, added))) !== null
  const paths = isOwnFile ? `${intentFilePath(from)} && rm ${added}` : REGISTRY_PATH
  return [...back, `git checkout HEAD -- ${paths}`, ...start].join(' && ')
}
