import { randomUUID } from 'node:crypto'
import type { Files } from './files.ts'

/** Takes a file away; true for one of those who try at once, since a name can be given away only once. */
export async function takeFile(files: Files, path: string): Promise<boolean> {
  const mine = `${path}.${randomUUID()}.taken`
  await files.move(path, mine)
  const isMine = (await files.modifiedAt(mine)) !== null
  await files.remove(mine)
  return isMine
}
