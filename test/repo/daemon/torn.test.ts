import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { blobOid } from '../../../src/core/git/blob-oid.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'

const SIZES = [4_096, 65_536, 300_000, 2_000_000]
const FILES = 6
// Less than half of the time that a file has to rest: stamps are coarse.
const GAP_MS_MAX = 8
// Time enough for a reader that does not wait to read half a content.
const GAP_MS = 5

test('of 120 files written bit by bit, only whole contents are recorded', async () => {
  await using repo = await governedRepo({ 'src/f0': 'before\n' })
  await using _daemon = await startWatching(repo)
  const whole = new Set<string | null | undefined>()
  for (let n = 0; n < 120; n++) {
    const bytes = Buffer.alloc(SIZES[n % SIZES.length] ?? 0, `content ${n}\n`)
    // A writer that pauses for longer than the file has to rest is slow, and where it paused is a content as well.
    for (const rested of await writeInBits(join(repo.root, `src/f${n % FILES}`), bytes)) whole.add(blobOid(rested))
    whole.add(blobOid(bytes))
  }
  const written = (await flushedWrites(repo)).map(it => it.files[0])
  expect(written.filter(it => !whole.has(it?.kotef.after)).map(it => it?.path)).toEqual([])
  expect(new Set(written.map(it => it?.path)).size).toBe(FILES)
})

/** Truncates a file and writes it in four bits; answers what stood there whenever the next bit came late. */
async function writeInBits(path: string, bytes: Buffer): Promise<Buffer[]> {
  const late: Buffer[] = []
  const file = openSync(path, 'w')
  for (let written = 0; written < bytes.length;) {
    const at = performance.now()
    await delay(GAP_MS)
    const length = writeSync(file, bytes, written, Math.ceil(bytes.length / 4))
    if (performance.now() - at > GAP_MS_MAX) late.push(bytes.subarray(0, written))
    written += length
  }
  closeSync(file)
  return late
}
