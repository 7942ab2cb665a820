import { intentNamed } from '../intents/find.ts'
import { commitLog } from '../diff/log.ts'
import { aliveIn } from '../provenance/alive.ts'
import { counted } from '../report/counted.ts'
import { harmless, printable } from '../report/printable.ts'
import { loadRegistry } from '../workspace/policy.ts'
import { headOid } from '../diff/head-oid.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { bringUpToDate } from './blame.ts'
import { intentLines } from './intent-show.ts'
import { firstArgument } from './options.ts'
import type { Run } from './verb.ts'

/** `kotef show`: everything about one intent. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intents } = await loadRegistry(workspace)
  const intent = intentNamed(intents, firstArgument(call))
  await bringUpToDate(workspace, call)
  const commits = await commitsOf(workspace, intent.id)
  const files = await aliveIn(
    workspace,
    intent.id,
    commits.map(it => it.commit),
  )
  const sum = (kind: 'alive' | 'added'): number => files.reduce((all, it) => all + it[kind], 0)
  const text = [
    ...intentLines(intent),
    counted(commits.length, 'commit'),
    ...commits.map(it => `  ${it.commit.slice(0, 10)}  ${it.date.slice(0, 10)}  ${it.subject}`),
    `${sum('alive')} of ${sum('added')} lines are there today`,
    ...files.map(it => `  ${String(it.alive).padStart(7)} of ${String(it.added).padStart(7)}  ${printable(it.path)}`),
  ]
  return { text: text.map(harmless).join('\n'), json: { intent, commits, files } }
}

async function commitsOf({ git }: Workspace, intent: string) {
  if ((await git.tryAsk(headOid)) === null) return []
  return (await git.ask(commitLog({ limit: null, intent }))).filter(it => it.intents.includes(intent))
}
