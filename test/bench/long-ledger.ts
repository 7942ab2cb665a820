import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { disk } from '../../src/world/io/files/files.ts'
import type { ChainLink } from '../../src/core/ledger/record.ts'
import { seal } from '../../src/core/ledger/seal.ts'
import { tracedFile } from '../../src/core/ledger/traced-file.ts'
import type { Repo } from '../rig/repo.ts'
import { oidOf } from '../rig/tree.ts'

const PATHS = 20_000
const INTENTS = 50

/** Makes a ledger so many lines longer: writes to many files for many intents, in the chain that is there. */
export async function lengthenLedger(repo: Repo, lines: number): Promise<void> {
  const path = join(repo.root, '.orchestration/agent_trace.jsonl')
  // The whole file may be longer than a text can be.
  const end = (await disk.readEnd(path, 65_536))?.bytes.toString('utf8') ?? ''
  let link = (JSON.parse(end.trimEnd().split('\n').at(-1) ?? '') as { metadata: { 'dev.kotef': ChainLink } }).metadata[
    'dev.kotef'
  ]
  const out = createWriteStream(path, { flags: 'a' })
  for (let n = 0; n < lines; n++) {
    const sealed = seal(draftOf(n), { ...stampOf(n), writer: link.writer, seq: link.seq + 1, prev: link.hash })
    link = sealed.record.metadata['dev.kotef']
    if (!out.write(`${sealed.line}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
}

/** A path of which the ledger tells now and then, an intent, and a session. */
export const SAMPLE_QUERY = { path: 'lib/d7/f7.ts', intent: 'INT-7', session: 'session-7' }

function draftOf(n: number) {
  const path = `lib/d${n % 100}/f${n % PATHS}.ts`
  const ranges = [
    { start_line: 1, end_line: 3, content_hash: 'xxh64:0123456789abcdef', line_hashes: 'AAAAAAAAAAAAAAAA' },
  ]
  const change = { op: 'modify', before: oidOf(`${n - PATHS}`), after: oidOf(`${n}`), removed: [] } as const
  const contributor = { type: 'ai', model_id: 'maker/model' } as const
  const credit = { contributor, session: `session-${n % 500}`, intent: `INT-${Math.floor(n / 20) % INTENTS}` }
  const event = { event: 'write', attribution: 'claimed', source: 'daemon' } as const
  return { event, files: [tracedFile(path, change, { ranges, credit })] }
}

function stampOf(n: number) {
  const timestamp = new Date(FIRST_MS + n * 1000).toISOString()
  return { id: randomUUID(), timestamp, revision: oidOf('head'), version: '0.1.0' }
}

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z')
