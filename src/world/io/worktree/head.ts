import { type Blobs, openBlobs } from '../git/blobs.ts'
import { INTENTS_FOLDER, intentFilesIn, POLICY_FILES, REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { type RegistryPart, registryText } from '../../../core/intents/registry-text.ts'
import { onceFor } from '../../../core/base/once-for.ts'
import type { Workspace } from './workspace.ts'
import { headOid } from '../../../core/git/revisions.ts'
import { locateWorktree } from '../git/read-git-dir.ts'

/** The texts of files at HEAD, in the order of `paths`; null for a file that HEAD does not have. */
export async function textsAtHead(
  { root }: Pick<Workspace, 'root'>,
  paths: readonly string[],
): Promise<(string | null)[]> {
  await using blobs = openBlobs(root)
  return await Promise.all(paths.map(it => readBlobText(blobs, `HEAD:${it}`)))
}

/** The text of a blob, named as `<commit>:<path>`; null when there is no such blob. */
export async function readBlobText(blobs: Blobs, name: string): Promise<string | null> {
  return (await blobs.read(name))?.toString('utf8', 0, TEXT_BYTES_MAX) ?? null
}

// Enough to see that a text is above the 1 MiB that a policy file may have.
const TEXT_BYTES_MAX = 4 * 1_048_576 + 4

/** The registry at a commit: its list, and the intents' files beside it; null when the commit has no list. */
export async function readRegistryText(blobs: Blobs, commit: string): Promise<string | null> {
  const list = await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)
  if (list === null) return null
  const folder = await blobs.folder(`${commit}:${INTENTS_FOLDER}`)
  return registryText(list, folder === null ? [] : await intentFiles(blobs, commit, folder))
}

type IntentsFolder = NonNullable<Awaited<ReturnType<Blobs['folder']>>>

// Of the commits of a range few change the folder, and it may have hundreds of files.
async function intentFiles(blobs: Blobs, commit: string, { oid, names }: IntentsFolder): Promise<RegistryPart[]> {
  const known = foldersOf(blobs)
  const found = known.get(oid)
  if (found) return found
  const paths = intentFilesIn(names)
  const texts = await Promise.all(paths.map(it => readBlobText(blobs, `${commit}:${it}`)))
  const parts = paths.map((path, n) => ({ path, text: texts[n] ?? '' }))
  if (known.size >= FOLDERS_KEPT) known.clear()
  known.set(oid, parts)
  return parts
}

const foldersOf = onceFor<Blobs, Map<string, RegistryPart[]>>(() => new Map())
const FOLDERS_KEPT = 16

/** The texts of the policy files at a commit, in the order of their list; of the registry, the whole. */
export async function readPolicyTexts(blobs: Blobs, commit: string): Promise<(string | null)[]> {
  const others = POLICY_FILES.slice(1).map(it => readBlobText(blobs, `${commit}:${it}`))
  return Promise.all([readRegistryText(blobs, commit), ...others])
}

/** The same at HEAD. */
export async function policyTextsAtHead({ root }: Pick<Workspace, 'root'>): Promise<(string | null)[]> {
  await using blobs = openBlobs(root)
  return await readPolicyTexts(blobs, 'HEAD')
}

/** The commit that HEAD names, null while it is unborn. Git runs only where its files alone do not show the commit. */
export async function readHead({ root, git }: Pick<Workspace, 'root' | 'git'>): Promise<string | null> {
  const { head = null, isUnborn = false } = locateWorktree(root) ?? {}
  return isUnborn ? null : (head ?? git.tryAsk(headOid))
}
