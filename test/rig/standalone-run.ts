// The packed kotef for the benches and the soak, outside of vitest.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf } from './end-processes.ts'
import { packKotef } from './packed-kotef.ts'

/** Works with the packed kotef outside of vitest, in a folder of its own, of which nothing is left. */
export async function runStandalone(work: () => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kb-'))
  const { HOME, NODE_EXTRA_CA_CERTS = '' } = process.env
  const outside = { KOTEF_TEST_HOME: HOME, KOTEF_TEST_CA_CERTS: NODE_EXTRA_CA_CERTS }
  Object.assign(process.env, { ...outside, KOTEF_TEST_RUN: folder, TMPDIR: folder })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  process.once('exit', () => clearFolder(folder))
  packKotef(folder)
  await work()
}

// Whoever stops a run leaves nothing behind.
function clearFolder(folder: string): void {
  endProcessesOf(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
