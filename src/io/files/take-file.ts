import { randomUUID } from 'node:crypto'
import type { Files } from './files.ts'

/** Removes a file. Of several callers at once exactly one gets true, because a rename succeeds only once. */
export async function takeFile(files: Files, path: string): Promise<boolean> {
  const mine = `${path}.${randomUUID()}.taken`
  await files.move(path, mine)
  const isMine = (await files.modifiedAt(mine)) !== null
  await files.remove(mine)
  return isMine
}
