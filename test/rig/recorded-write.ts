// A write of an agent in the ledger, without a daemon.

import { loadHasher } from '../../src/world/io/files/hasher.ts'
import { appendRecords } from '../../src/world/ledger/append-records.ts'
import { tracedFile, tracedRanges } from '../../src/core/ledger/traced-file.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import type { Repo } from './repo.ts'
import { oidOf } from './tree.ts'

/** The content of a file, and the text that an agent added to its end. */
type AgentWrite = { readonly before: string; readonly added: string }

const CREDIT = { contributor: { type: 'ai', model_id: 'maker/robot' }, session: 's', intent: 'INT-001' } as const
const EVENT = { event: 'write', attribution: 'claimed', source: 'daemon' } as const

/** Appends the record of a write of an agent to the ledger. The file itself is not written. */
export async function recordAgentWrite(
  repo: Pick<Repo, 'root'>,
  path: string,
  { before, added }: AgentWrite,
): Promise<void> {
  const after = before + added
  const countOf = (text: string): number => text.split('\n').length - 1
  const hunks = [{ line: countOf(before) + 1, lines: 0, addedLine: countOf(before) + 1, addedLines: countOf(added) }]
  const ranges = tracedRanges(Buffer.from(after), hunks, await loadHasher())
  const change = { op: 'modify', before: oidOf(before), after: oidOf(after), removed: [] } as const
  await appendRecords(await openWorkspace(repo.root), [
    { event: EVENT, files: [tracedFile(path, change, { ranges, credit: CREDIT })] },
  ])
}

/** Appends the record of a removal of a tracked file by an agent to the ledger. The file itself is not removed. */
export async function recordAgentRemoval(repo: Pick<Repo, 'root' | 'git'>, path: string): Promise<void> {
  const before = (await repo.git('rev-parse', `HEAD:${path}`)).trim()
  const change = { op: 'delete', before, after: null, removed: [] } as const
  const file = tracedFile(path, change, { ranges: [], credit: CREDIT })
  await appendRecords(await openWorkspace(repo.root), [{ event: EVENT, files: [file] }])
}
