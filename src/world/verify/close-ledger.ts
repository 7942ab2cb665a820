import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readHead } from '../io/worktree/head.ts'
import { withLock } from '../io/files/lock.ts'
import type { ClosedLedger } from '../../core/ledger/event.ts'
import type { Finding } from '../../core/base/finding.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { TraceRecord } from '../../core/ledger/record.ts'
import { seal } from '../../core/ledger/seal.ts'
import { VERSION } from '../io/files/package.ts'
import { readChainHead, saveChainHead } from '../ledger/append-records.ts'
import { locateLedger, replaceLedger, settleLedger } from '../ledger/locate-ledger.ts'
import { ledgerFile } from '../ledger/open-ledger.ts'
import { layoutOf, ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readAnchors } from './read-anchors.ts'
import { inspectLedger } from './inspect-ledger.ts'

/** What is wrong with this worktree's ledger. Throws when nothing is: a whole ledger is not closed. */
export async function ledgerDamage(workspace: Workspace): Promise<Pick<ClosedLedger, 'records' | 'findings'>> {
  const { records, problems, broken } = await inspectLedger(workspace, await readAnchors(workspace))
  const codes = [...problems.map(() => 'ledger-damaged'), ...broken.map((it: Finding) => it.rule)]
  if (codes.length > 0) return { records, findings: [...new Set(codes)].sort() }
  throw new KotefError('usage', 'The ledger is whole, so there is nothing to close.', {
    hint: 'See its records with `kotef trace`',
  })
}

/**
 * Sets a damaged ledger aside, and begins a new one whose first record says so. When a step fails, the ledger is still
 * the damaged one, or already the new one.
 */
export async function closeLedger(workspace: Workspace, reason: string): Promise<TraceRecord> {
  const revision = await readHead(workspace)
  return withLock(ownPath(workspace, 'ledger.lock'), async () => {
    if ((await locateLedger(workspace)).state !== 'absent') await settleLedger(workspace)
    const damage = await ledgerDamage(workspace)
    const closed = { files: await setAside(workspace), head: await readChainHead(workspace), ...damage }
    const record = await beginLedger(workspace, { reason, closed }, revision)
    await workspace.files.clear(partsFolder(workspace)).catch(() => {})
    return record
  })
}

/** Gives the ledger's files a further name. They keep their own until the new ledger is there. */
async function setAside(workspace: Workspace): Promise<ClosedLedger['files']> {
  const time = new Date(workspace.clock.now()).toISOString().replace(/[-:.]/g, '')
  const files: { name: string; sha256: string }[] = []
  for (const [suffix, source] of await filesOf(workspace)) {
    const name = `agent_trace.${time}${suffix}.jsonl`
    const aside = ownPath(workspace, name)
    if (!(await workspace.files.link(source, aside))) await copyFile(workspace, source, aside)
    files.push({ name, sha256: await hashOf(workspace, [aside]) })
  }
  return [...files, ...(await setPartsAside(workspace, `agent_trace.${time}.parts`))]
}

function partsFolder(workspace: Workspace): string {
  return ledgerFile(workspace, layoutOf(workspace).keptLedger).parts
}

/** The same for the folder of its compressed parts, of which there may be none. */
async function setPartsAside(workspace: Workspace, name: string): Promise<ClosedLedger['files']> {
  const parts = partsFolder(workspace)
  const names = (await workspace.files.list(parts)).sort()
  if (names.length === 0) return []
  const folder = ownPath(workspace, name)
  await workspace.files.privateFolder(folder)
  for (const it of names) {
    const [from, to] = [parts, folder].map(inside => join(inside, it)) as [string, string]
    if (!(await workspace.files.link(from, to))) await copyFile(workspace, from, to)
  }
  const paths = names.map(it => join(folder, it))
  return [{ name, sha256: await hashOf(workspace, paths) }]
}

/** The files to set aside, with what their new names end with. */
async function filesOf(workspace: Workspace): Promise<(readonly [suffix: string, path: string])[]> {
  const { path, state } = await locateLedger(workspace)
  if (state === 'absent') return []
  return state === 'split'
    ? [
        ['', path],
        ['.worktree', layoutOf(workspace).ledger],
      ]
    : [['', path]]
}

// Without hard links.
async function copyFile(workspace: Workspace, from: string, to: string): Promise<void> {
  const temporary = `${to}.tmp`
  await workspace.files.remove(temporary)
  for await (const bytes of partsOf(workspace, from)) await workspace.files.append(temporary, bytes)
  await workspace.files.sync(temporary)
  await workspace.files.move(temporary, to)
}

/** The hash of some files, one after the other. */
async function hashOf(workspace: Workspace, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths) for await (const bytes of partsOf(workspace, path)) hash.update(bytes)
  return hash.digest('hex')
}

async function* partsOf({ files }: Workspace, path: string): AsyncGenerator<Buffer> {
  for (let at = 0; ; at += PART_BYTES) {
    const bytes = await files.readAt(path, at, at + PART_BYTES)
    if (bytes.length === 0) return
    yield bytes
  }
}

const PART_BYTES = 4 * 2 ** 20

/** Replaces the ledger by one with a single record, of a new writer. */
async function beginLedger(
  workspace: Workspace,
  about: { readonly reason: string; readonly closed: ClosedLedger },
  revision: string | null,
): Promise<TraceRecord> {
  const { clock } = workspace
  const stamp = { id: clock.uuid(), timestamp: new Date(clock.now()).toISOString(), revision, version: VERSION }
  const chain = { writer: clock.uuid(), seq: 0, prev: null }
  const { record, line } = seal({ event: { event: 'ledger-closed', ...about } }, { ...stamp, ...chain })
  await replaceLedger(workspace, Buffer.from(`${line}\n`))
  await saveChainHead(workspace, record.metadata['dev.kotef'])
  return record
}
