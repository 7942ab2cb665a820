import { join } from 'node:path'
import { linesOf } from '../diff/lines.ts'
import { KotefError, toKotefError } from '../report/failure.ts'
import { harmless, printable } from '../report/printable.ts'
import { gitIn } from '../io/git.ts'
import { blame, type BlamedLine } from '../provenance/blame.ts'
import { type BlameWish, startBlame } from '../provenance/blaming.ts'
import { finalise } from '../provenance/finalise.ts'
import { notesAhead } from '../provenance/notes.ts'
import { catchUp } from '../workspace/catch-up.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import { firstArgument, listOption, textOption } from './options.ts'
import { fileNamed, repositoryPath } from './repository-path.ts'
import type { Call, Run } from './verb.ts'

/** `kotef blame`: for every line of a file, which intent wanted it, and who wrote it. */
export const run: Run = async call => {
  const wish = { file: firstArgument(call), revision: revisionOf(call), ranges: listOption(call, 'L') ?? [] }
  const { workspace, path, lines } = await blameFor(call, wish)
  const json = { file: path, lines: lines.map(jsonOf) }
  if (call.options['json']) return { text: '', json }
  return { text: await textFor(workspace, { path, revision: wish.revision }, lines), json }
}

// Git is told of it as it is, so it must not look like one of git's own options.
function revisionOf(call: Call): string | null {
  const revision = textOption(call, 'rev')
  if (revision?.startsWith('-')) throw new KotefError('usage', `${printable(revision)} is no commit.`)
  return revision
}

/** Blames a file as a user names it. Git has begun with it before anything else is known. */
export async function blameFor(call: Call, wish: BlameWish) {
  const file = await fileNamed(call.cwd, wish.file)
  const begin = () => startBlame(gitIn(call.cwd), { ...wish, file })
  const blaming = call.blamed?.then(it => it ?? begin()) ?? begin()
  // It is waited for below, if all else goes well.
  blaming.catch(() => {})
  const workspace = await openWorkspace(call.cwd)
  const path = repositoryPath(workspace.root, file)
  if (path === '' || /^(\.\.|\.git)(\/|$)/.test(path)) {
    throw new KotefError('usage', `${printable(wish.file)} is no file of this repository.`)
  }
  const upToDate = bringUpToDate(workspace, call)
  using noted = wish.ranges.length === 0 ? notesAhead(workspace, { ...wish, file }) : null
  return { workspace, path, lines: await blame(workspace, { ...wish, file, path, blaming, upToDate, noted }) }
}

/** Has ledger and notes tell of all that is there, and says what they may lack. True when a note was written. */
export async function bringUpToDate(workspace: Workspace, { tell }: Pick<Call, 'tell'>): Promise<boolean> {
  const { isWatched, behind } = await catchUp(workspace)
  if (behind !== null) tell(`The newest writes may be missing. ${behind}`)
  return finalise(workspace, { isWatched }).catch((thrown: unknown) => {
    tell(`The newest commits have no notes yet. ${toKotefError(thrown).message}`)
    return false
  })
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
    revision === null
      ? await files.read(join(root, path))
      : await git.bytes(['show', '--end-of-options', `${revision}:${path}`])
  const texts = bytes ? linesOf(bytes).map(it => Buffer.from(it).toString('utf8')) : []
  const widest = (words: readonly string[]): number => words.reduce((most, it) => Math.max(most, it.length), 0)
  const whoWidth = widest(lines.map(whoIn))
  const intentWidth = widest(lines.map(it => it.author.intent ?? '-'))
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
