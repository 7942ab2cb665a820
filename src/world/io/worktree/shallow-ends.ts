import { join } from 'node:path'
import { LARGE_FILE_BYTES_MAX } from '../files/regular-file.ts'
import type { Workspace } from './workspace.ts'

/** The commits at which a shallow clone ends. Their changes are unknown, and they were made elsewhere. */
export async function readShallowEnds({ files, commonDir }: Workspace): Promise<ReadonlySet<string>> {
  const lines =
    (await files.read(join(commonDir, 'shallow'), LARGE_FILE_BYTES_MAX))?.toString('latin1').split('\n') ?? []
  return new Set(lines.filter(it => it !== ''))
}
