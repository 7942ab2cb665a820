import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeSignal } from '../process/before-signal.ts'

/** A temporary folder, which is removed with this, and before a signal ends the process. */
export type ScratchFolder = AsyncDisposable & { readonly path: string }

/** Makes a temporary folder. */
export async function openScratch(): Promise<ScratchFolder> {
  const path = await mkdtemp(join(tmpdir(), 'kotef-'))
  const forget = beforeSignal(() => rmSync(path, REMOVAL))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, REMOVAL).finally(forget),
  }
}

// A scanner of viruses may hold a file for a moment, hence the retries.
const REMOVAL = { recursive: true, force: true, maxRetries: 10 }
