import { findIntent } from '../intents/intent.ts'
import { commitLog } from '../git/log.ts'
import { countSurvivingLines } from '../provenance/surviving-lines.ts'
import { escapeForTerminal, plural, printable } from '../text/printable.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { headOid } from '../git/revisions.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { updateNotes } from '../provenance/annotate-commits.ts'
import { intentLines } from '../report/intent-lines.ts'
import { firstArgument } from './options.ts'
import type { RunVerb } from './verb.ts'

/** `kotef show`: one intent, its commits and files, and how many of its lines HEAD still has. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, firstArgument(call))
  await updateNotes(workspace, call)
  const commits = await citingCommits(workspace, intent.id)
  const files = await countSurvivingLines(
    workspace,
    intent.id,
    commits.map(it => it.commit),
  )
  const sum = (kind: 'alive' | 'added'): number => files.reduce((all, it) => all + it[kind], 0)
  const text = [
    ...intentLines(intent),
    plural(commits.length, 'commit'),
    ...commits.map(it => `  ${it.commit.slice(0, 10)}  ${it.date.slice(0, 10)}  ${it.subject}`),
    `${sum('alive')} of ${sum('added')} added lines are still in HEAD`,
    ...files.map(it => `  ${String(it.alive).padStart(7)} of ${String(it.added).padStart(7)}  ${printable(it.path)}`),
  ]
  return { text: text.map(escapeForTerminal).join('\n'), json: { intent, commits, files } }
}

async function citingCommits({ git }: Workspace, intent: string) {
  if ((await git.tryAsk(headOid)) === null) return []
  return (await git.ask(commitLog({ limit: null, intent }))).filter(it => it.intents.includes(intent))
}
