import { type Blobs, blobsOf } from '../io/blobs.ts'
import type { Workspace } from './workspace.ts'

/** The texts of some files at HEAD, in the order asked; null for each that HEAD doesn't have. */
export async function committedTexts(
  { root }: Pick<Workspace, 'root'>,
  paths: readonly string[],
): Promise<(string | null)[]> {
  await using blobs = blobsOf(root)
  return await Promise.all(paths.map(it => textAt(blobs, `HEAD:${it}`)))
}

/** The text of a blob, named as `<commit>:<path>`; null when there is none. */
export async function textAt(blobs: Blobs, name: string): Promise<string | null> {
  return (await blobs.read(name))?.toString('utf8') ?? null
}
