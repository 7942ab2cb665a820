import { join } from 'node:path'
import { byteLines } from '../text/lines.ts'
import { KotefError } from '../findings/failure.ts'
import { escapeForTerminal, printable } from '../text/printable.ts'
import { blame, type BlamedLine, type BlameRequest, startBlame } from '../provenance/blame.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { firstArgument, listOption, type RunVerb, textOption, type VerbCall } from './verb.ts'
import { gitIn } from '../io/git/git.ts'
import { prefetchNotes } from '../provenance/notes.ts'
import { updateNotes } from '../provenance/annotate-commits.ts'
import { repositoryPath, resolveFile } from './repository-path.ts'

/** `kotef blame`: the commit, the intent and the author of each line of a file. */
export const run: RunVerb = async call => {
  const options = { file: firstArgument(call), revision: revisionOf(call), ranges: listOption(call, 'L') ?? [] }
  const { workspace, path, lines } = await blameFile(call, options)
  const json = { file: path, lines: lines.map(blamedLineJson) }
  if (call.options['json']) return { text: '', json }
  return { text: await blameText(workspace, { path, revision: options.revision }, lines), json }
}

// The revision is passed to git unchanged, so it must not look like an option.
function revisionOf(call: VerbCall): string | null {
  const revision = textOption(call, 'rev')
  if (revision?.startsWith('-')) throw new KotefError('usage', `${printable(revision)} is not a commit.`)
  return revision
}

function blamedLineJson({ line, commit, author, how }: BlamedLine) {
  const { intent, session, contributor } = author
  return { line, commit, intent, session, contributor, how }
}

async function blameText(
  { root, git, files }: Workspace,
  { path, revision }: { path: string; revision: string | null },
  lines: readonly BlamedLine[],
): Promise<string> {
  const bytes =
    revision === null
      ? await files.read(join(root, path))
      : await git.bytes(['show', '--end-of-options', `${revision}:${path}`])
  const texts = bytes ? byteLines(bytes).map(it => Buffer.from(it).toString('utf8')) : []
  const widest = (words: readonly string[]): number => words.reduce((most, it) => Math.max(most, it.length), 0)
  const whoWidth = widest(lines.map(authorText))
  const intentWidth = widest(lines.map(it => it.author.intent ?? '-'))
  return lines
    .map(it => {
      const commit = (it.commit ?? 'uncommitted').slice(0, 11).padEnd(11)
      const head = `${commit}  ${(it.author.intent ?? '-').padEnd(intentWidth)}  ${authorText(it).padEnd(whoWidth)}`
      return escapeForTerminal(`${head}  ${String(it.line).padStart(5)})  ${texts[it.line - 1] ?? ''}`)
    })
    .join('\n')
}

function authorText({ author: { contributor } }: BlamedLine): string {
  return contributor.model_id === undefined ? contributor.type : `${contributor.type} ${contributor.model_id}`
}

/**
 * Blames a file as a user names it. `git blame` takes longest, so it is started first, or by `boot/prefetch-blame.ts`
 * before this module was loaded.
 */
export async function blameFile(call: VerbCall, options: BlameRequest) {
  const file = await resolveFile(call.cwd, options.file)
  const start = () => startBlame(gitIn(call.cwd), { ...options, file })
  const pendingBlame = call.prefetchedBlame?.then(it => it ?? start()) ?? start()
  // `blame` awaits it. If a step before that throws, a second failure must not end the process as unhandled.
  pendingBlame.catch(() => {})
  const workspace = await openWorkspace(call.cwd)
  const path = repositoryPath(workspace.root, file)
  if (path === '' || /^(\.\.|\.git)(\/|$)/.test(path)) {
    throw new KotefError('usage', `${printable(options.file)} is not a file of this repository.`)
  }
  const notesWritten = updateNotes(workspace, call)
  using prefetchedNotes = options.ranges.length === 0 ? prefetchNotes(workspace, { ...options, file }) : null
  const lines = await blame(workspace, { ...options, file, path, pendingBlame, notesWritten, prefetchedNotes })
  return { workspace, path, lines }
}
