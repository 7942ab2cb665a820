// An export in this process, without waits: `exportTo(repo, { url })`; `sealedLines(drafts)`: a ledger.

import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { LedgerEvent } from '../../src/core/ledger/event.ts'
import type { RecordDraft, TracedFile } from '../../src/core/ledger/record.ts'
import { seal } from '../../src/core/ledger/seal.ts'
import { openOtlpSender } from '../../src/shells/otlp/sending/otlp-sender.ts'
import { cursorStore, newCursor } from '../../src/shells/otlp/export/cursor-store.ts'
import { exportEndpoint, otlpTarget } from '../../src/shells/otlp/export/endpoint.ts'
import { exportLedger } from '../../src/shells/otlp/export/export-ledger.ts'
import type { ExportCounts } from '../../src/shells/otlp/export/export-progress.ts'
import { layoutOf } from '../../src/world/io/worktree/layout.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import type { OtlpReceiver } from './otlp-receiver.ts'
import { type Repo, temporaryRepo } from './repo.ts'

type ExportOptions = {
  readonly url: string
  readonly paths?: boolean
  readonly since?: number | null
  readonly follow?: boolean
  readonly until?: AbortSignal
  /** Called in place of each wait. */
  readonly pause?: (ms: number) => Promise<void> | void
}

/**
 * An export in this process, without a wait: what it has sent, what it said, the waits that it asked for, and the
 * uids of the logs in requests to which it got no answer, once for each.
 */
export async function exportTo(
  { root }: { readonly root: string },
  { url, paths = true, since = null, follow = false, until, pause = () => {} }: ExportOptions,
): Promise<{ counts: ExportCounts; said: string[]; pauses: number[]; unanswered: string[] }> {
  const workspace = await openWorkspace(root)
  const endpoint = exportEndpoint(url, process.env)
  const store = cursorStore(workspace, endpoint)
  const cursor = (await store.load()) ?? newCursor(workspace, since)
  const opened = openOtlpSender(await otlpTarget(workspace, endpoint, cursor.id))
  const unanswered: string[] = []
  const sender: typeof opened = {
    ...opened,
    async logs(values, now) {
      const answer = await opened.logs(values, now)
      if (answer.outcome === 'later') for (const it of values) unanswered.push(it.uid)
      return answer
    },
  }
  const said: string[] = []
  const pauses: number[] = []
  const patience = {
    ...{ shown: endpoint.shown, isEndless: follow, stop: until ?? new AbortController().signal },
    notify: (line: string) => void said.push(line),
    pause: async (ms: number) => (pauses.push(ms), pause(ms)),
  }
  const call = { workspace, endpoint, store, cursor, sender, patience, paths, onProgress: () => {} }
  try {
    return { counts: await exportLedger(call), said, pauses, unanswered }
  } catch (thrown) {
    throw Object.assign(thrown as Error, { said, pauses })
  } finally {
    sender.close()
  }
}

/** A change of a file, as it is recorded. */
function changedFile(path: string, { session = 's', model = 'maker/robot' } = {}): TracedFile {
  return {
    ...{ path, relative_path: path },
    conversations: [
      {
        url: `kotef:session/${session}`,
        contributor: { type: 'ai', model_id: model },
        ranges: [
          { start_line: 1, end_line: 3, content_hash: 'xxh64:29c52747f15ab84e', line_hashes: 'QRM2MpsoZ9QBRLsY' },
        ],
        related: [{ type: 'intent', url: 'intent:INT-001', value: 'INT-001' }],
      },
    ],
    kotef: { op: 'modify', before: 'b'.repeat(40), after: 'a'.repeat(40), removed: [{ start_line: 1, lines: 2 }] },
  }
}

export const WRITE: LedgerEvent = { event: 'write', attribution: 'claimed', source: 'daemon' }

/** A draft of a write. */
export function writeOf(path: string, session = 's'): RecordDraft {
  return { event: WRITE, files: [changedFile(path, { session })] }
}

/** Sealed lines of one writer, whose ids count: `w-0`, `w-1`. */
export function sealedLines(drafts: readonly RecordDraft[], { writer = 'w', from = 0 } = {}) {
  let prev: string | null = null
  return drafts.map((draft, n) => {
    const seq = from + n
    const timestamp = new Date(Date.UTC(2026, 10, 20, 10) + seq * 1_000).toISOString()
    const stamp = { id: `${writer}-${seq}`, timestamp, revision: 'c'.repeat(40), version: '0.1.0' }
    const { record, line } = seal(draft, { ...stamp, writer, seq, prev })
    prev = record.metadata['dev.kotef'].hash
    return { record, line }
  })
}

/** Appends lines to the ledger of a repository, without a look at its chain. */
export async function appendLines(
  workspace: Pick<Workspace, 'root' | 'gitDir' | 'commonDir'>,
  lines: readonly string[],
) {
  const path = layoutOf(workspace).ledger
  await mkdir(dirname(path), { recursive: true })
  await appendFile(path, lines.map(it => `${it}\n`).join(''))
  return path
}

/** A repository with a ledger of so many writes. */
export async function repoWithWrites(count: number): Promise<Repo> {
  const repo = await temporaryRepo({ '.gitignore': '.orchestration\n' })
  await appendWrites(repo, { from: 0, to: count })
  return repo
}

/** Appends writes with these numbers. */
export async function appendWrites(repo: Repo, { from, to }: { from: number; to: number }): Promise<void> {
  const drafts = Array.from({ length: to - from }, (_, n) => writeOf(`src/${from + n}.ts`))
  const lines = sealedLines(drafts, { from }).map(it => it.line)
  await appendLines(await openWorkspace(repo.root), lines)
}

/** The uids of all logs that a receiver has, in order. */
export function receivedUids({ logs }: OtlpReceiver): string[] {
  return logs.map(it => String(it.attributes['log.record.uid']))
}

/** The uids of so many writes. */
export function writeUids(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, n) => `w-${from + n}`)
}
