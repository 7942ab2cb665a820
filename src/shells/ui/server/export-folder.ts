import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../../../core/base/failure.ts'
import { systemErrorCode } from '../../../world/io/files/files.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { printable } from '../../../core/base/printable.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The file by which a folder is known as an export: it has the names of the others. */
const MARKER = 'kotef-pages.json'

/** Makes a folder ready for an export: removes the files of an earlier one. Refuses a folder with anything else. */
export async function clearExport({ files }: Pick<Workspace, 'files'>, folder: string): Promise<void> {
  const names = await readdir(folder).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT') return []
    throw new KotefError('usage', `${printable(folder)} is not a folder that pages can be written into.`, USAGE)
  })
  await mkdir(folder, { recursive: true })
  if (names.length === 0) return
  const marker = parseObject((await files.read(join(folder, MARKER)))?.toString('utf8') ?? '')
  const earlier = marker?.['files']
  if (!Array.isArray(earlier))
    throw new KotefError('usage', `${printable(folder)} is not empty, and it is not an earlier export.`, USAGE)
  for (const name of earlier) if (isOwnName(name)) await files.remove(join(folder, name))
}

const USAGE = { hint: 'Name an empty folder, or one that is not there: `kotef ui --export pages`' }

/** Notes which files an export has. */
export async function markExport({ files }: Pick<Workspace, 'files'>, folder: string, names: readonly string[]) {
  await files.put(join(folder, MARKER), `${JSON.stringify({ files: names }, null, 2)}\n`)
}

// The marker may have been edited: nothing outside of the folder is removed.
function isOwnName(name: unknown): name is string {
  return typeof name === 'string' && /^(assets\/)?[\w-][\w.-]*$/.test(name)
}
