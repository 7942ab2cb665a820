import { fileNameFor } from '../io/files/file-name.ts'
import { systemErrorCode } from '../io/files/files.ts'
import { ownPath } from '../worktree/layout.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'

/** What a session knows of files: the blob oid of each path as it last read or wrote it; null where nothing stood. */
export type KnownVersions = ReadonlyMap<string, string | null>

/** A path as a session knows it from now on; undefined when it no longer knows it. */
export type FileVersion = readonly [path: string, oid: string | null | undefined]

/** What a session has seen so far. */
export async function readKnownVersions(access: GitDirAccess, session: string): Promise<KnownVersions> {
  return parseVersions((await access.files.read(versionsPath(access, session)))?.toString('utf8') ?? '')
}

/** Takes down what a session has just seen. Calls at once each add lines of their own. */
export async function noteVersions(
  access: GitDirAccess,
  session: string,
  versions: readonly FileVersion[],
): Promise<void> {
  if (versions.length === 0) return
  const path = versionsPath(access, session)
  const lines = Buffer.from(versionLines(versions))
  await access.files.append(path, lines).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
    return access.files.put(path, lines)
  })
  const end = await access.files.readEnd(path, 0)
  if ((end?.size ?? 0) < VERSIONS_BYTES_MAX) return
  const kept = [...(await readKnownVersions(access, session))].slice(-VERSIONS_MAX)
  await access.files.put(path, versionLines(kept))
}

/** Forgets what a session knows of some paths, and of all that lies below them. */
export async function forgetVersionsBelow(
  access: GitDirAccess,
  session: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  const known = [...(await readKnownVersions(access, session)).keys()]
  const gone = known.filter(it => paths.some(path => it === path || it.startsWith(`${path}/`)))
  await noteVersions(
    access,
    session,
    gone.map(it => [it, undefined]),
  )
}

/** Forgets all that a session has seen. */
export async function forgetVersions(access: GitDirAccess, session: string): Promise<void> {
  await access.files.remove(versionsPath(access, session))
}

const VERSIONS_BYTES_MAX = 131_072
const VERSIONS_MAX = 500

function versionLines(versions: Iterable<FileVersion>): string {
  return [...versions].map(([path, oid]) => `${JSON.stringify(oid === undefined ? [path] : [path, oid])}\n`).join('')
}

/** The last line about a path holds; what is no such line says nothing. */
function parseVersions(text: string): KnownVersions {
  const versions = new Map<string, string | null>()
  for (const line of text.split('\n')) {
    const [path, oid] = parseVersion(line) ?? []
    if (path === undefined) continue
    versions.delete(path)
    if (oid !== undefined) versions.set(path, oid)
  }
  return versions
}

function parseVersion(line: string): FileVersion | null {
  try {
    const value: unknown = JSON.parse(line)
    if (!Array.isArray(value) || typeof value[0] !== 'string') return null
    const oid: unknown = value[1]
    return oid === undefined || oid === null || typeof oid === 'string' ? [value[0], oid] : null
  } catch {
    return null
  }
}

function versionsPath(access: GitDirAccess, session: string): string {
  return ownPath(access, 'seen', fileNameFor(session))
}
