import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PathChange } from '../../../core/git/changes.ts'
import { openBlobs } from '../../../world/io/git/blobs.ts'
import { streamLines } from '../../../world/io/process/run.ts'
import {
  changesInIndex,
  changesInRange,
  changesInWorktree,
  sidesOf,
} from '../../../world/code/meaning/changed-files.ts'
import { type ClassifiedFile, classifyFiles } from '../../../world/code/meaning/classify-files.ts'
import { openParser, type Parser, TEXT_CHARS_MAX } from '../../../world/code/meaning/parser.ts'
import { classJson, classLines } from '../../../core/report/class-lines.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { rangeOption } from '../range-option.ts'
import { repositoryPath, resolveFile } from '../repository-path.ts'
import type { RunVerb, VerbCall } from '../verb.ts'
import { jsonLine, textsOf } from './json-lines.ts'

/** `kotef classify`: the class of each change: layout, refactoring, or evolution, with the evidence. */
export const run: RunVerb = async call => {
  using parser = openParser()
  if (call.options['jsonl']) return printForEachLine(call, parser)
  const workspace = await openWorkspace(call.cwd)
  const changes = await changesOfCall(workspace, call)
  await using blobs = openBlobs(workspace.root)
  const files: ClassifiedFile[] = []
  const read = sidesOf(workspace, blobs, TEXT_CHARS_MAX)
  for await (const it of classifyFiles(changes, { parser, read })) files.push(it)
  const text = files.length === 0 ? 'No file changed.' : files.flatMap(classLines).join('\n')
  return { text, json: { files: files.map(it => ({ path: it.path, ...classJson(it) })) }, forReading: 'list' }
}

/** The changes that a call names: the index, a range, files, or, without a name, the whole worktree. */
async function changesOfCall(workspace: Workspace, call: VerbCall): Promise<PathChange[]> {
  const named = call.args[0] as readonly string[]
  if (call.options['staged']) return changesInIndex(workspace.git)
  const [first] = named
  const isRange = named.length === 1 && first !== undefined && !existsSync(resolve(call.cwd, first))
  if (isRange) return changesInRange(workspace.git, (await rangeOption(workspace.git, { ...call, args: [first] }))!)
  const files = await Promise.all(named.map(it => resolveFile(call.cwd, it)))
  return changesInWorktree(
    workspace.git,
    files.map(it => repositoryPath(workspace.root, it) || '.'),
  )
}

async function printForEachLine({ print }: VerbCall, parser: Parser): Promise<null> {
  for await (const lines of streamLines(process.stdin)) {
    for (const line of lines) {
      const change = textsOf(line.toString('utf8'), { texts: ['path'], textsOrNull: ['before', 'after'] })
      print(jsonLine(classJson(await parser.classify({ ...change, path: change.path ?? '' }))))
    }
  }
  return null
}
