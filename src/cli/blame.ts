import { join } from 'node:path'
import { byteLines } from '../text/lines.ts'
import { KotefError } from '../findings/failure.ts'
import { escapeForTerminal, printable } from '../text/printable.ts'
import type { BlamedLine } from '../provenance/blame.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { blameFile } from './blame-file.ts'
import { firstArgument, listOption, textOption } from './options.ts'
import type { VerbCall, RunVerb } from './verb.ts'

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
