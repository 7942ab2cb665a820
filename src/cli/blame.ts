import { join } from 'node:path'
import { linesOf } from '../diff/lines.ts'
import { KotefError, toKotefError } from '../report/failure.ts'
import { harmless } from '../report/printable.ts'
import { blame, type BlamedLine } from '../provenance/blame.ts'
import { commitNamed } from '../provenance/commits.ts'
import { finalise } from '../provenance/finalise.ts'
import { catchUp } from '../workspace/ledger.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { firstArgument, listOption, textOption } from './options.ts'
import { repositoryPath } from './repository-path.ts'
import type { Call, Run } from './verb.ts'

/** `kotef blame`: for every line of a file, which intent wanted it, and who wrote it. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const path = await repositoryPath(workspace.root, call.cwd, firstArgument(call))
  if (path === '' || path.startsWith('../'))
    throw new KotefError('usage', `${firstArgument(call)} is no file of this repository.`)
  const named = textOption(call, 'rev')
  const revision = named === null ? null : await commitNamed(workspace.git, named)
  await bringUpToDate(workspace, call)
  const lines = await blame(workspace, { path, revision, ranges: listOption(call, 'L') ?? [] })
  const json = { file: path, lines: lines.map(jsonOf) }
  return call.options['json'] ? { text: '', json } : { text: await textFor(workspace, { path, revision }, lines), json }
}

/** Has ledger and notes tell of all that is there; says what they may lack. */
export async function bringUpToDate(workspace: Workspace, { tell }: Pick<Call, 'tell'>): Promise<void> {
  const { isWatched, behind } = await catchUp(workspace)
  if (behind !== null) tell(`The newest writes may be missing. ${behind}`)
  await finalise(workspace, { isWatched }).catch((thrown: unknown) =>
    tell(`The newest commits have no notes yet. ${toKotefError(thrown).message}`),
  )
}

function jsonOf({ line, commit, author, how }: BlamedLine) {
  const { intent, session, contributor } = author
  return { line, commit, intent, session, contributor, how }
}

async function textFor(
  { root, git, files }: Workspace,
  { path, revision }: { path: string; revision: string | null },
  lines: readonly BlamedLine[],
): Promise<string> {
  const bytes =
    revision === null ? await files.read(join(root, path)) : await git.bytes(['show', `${revision}:${path}`])
  const texts = bytes ? linesOf(bytes).map(it => Buffer.from(it).toString('utf8')) : []
  const whoWidth = Math.max(...lines.map(it => whoIn(it).length), 0)
  const intentWidth = Math.max(...lines.map(it => (it.author.intent ?? '-').length), 0)
  return lines
    .map(it => {
      const commit = (it.commit ?? 'uncommitted').slice(0, 11).padEnd(11)
      const head = `${commit}  ${(it.author.intent ?? '-').padEnd(intentWidth)}  ${whoIn(it).padEnd(whoWidth)}`
      return harmless(`${head}  ${String(it.line).padStart(5)})  ${texts[it.line - 1] ?? ''}`)
    })
    .join('\n')
}

function whoIn({ author: { contributor } }: BlamedLine): string {
  return contributor.model_id === undefined ? contributor.type : `${contributor.type} ${contributor.model_id}`
}
