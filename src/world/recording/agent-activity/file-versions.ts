import { fileNameFor } from '../../io/files/file-name.ts'
import { systemErrorCode } from '../../io/files/files.ts'
import { jsonOrUndefined } from '../../../core/base/payload.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { GitDirAccess } from '../../io/worktree/workspace.ts'

/** The versions of files that a session last read or wrote: the blob oid of each path, null for no file. */
export type KnownVersions = ReadonlyMap<string, string | null>

/** The version of a path that a session knows from now on; undefined when it no longer knows one. */
export type FileVersion = readonly [path: string, oid: string | null | undefined]

/** The versions that a session knows. */
export async function readKnownVersions(access: GitDirAccess, session: string): Promise<KnownVersions> {
  return parseVersions(
    (await access.files.read(versionsPath(access, session), VERSIONS_READ_MAX))?.toString('utf8') ?? '',
  )
}

/**
 * Saves the versions that a session has just read or written, if any: its file then says that its calls are reported.
 * Calls at the same time append lines of their own.
 */
export async function noteVersions(
  access: GitDirAccess,
  session: string,
  versions: readonly FileVersion[],
): Promise<void> {
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

/** Removes the versions of some paths, and of all paths below them. */
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

/** True when hooks have reported a tool call of the session, so that its later calls have windows. */
export async function hasReportedCalls(access: GitDirAccess, session: string): Promise<boolean> {
  return (await access.files.modifiedAt(versionsPath(access, session))) !== null
}

/** Removes all versions of a session. */
export async function forgetVersions(access: GitDirAccess, session: string): Promise<void> {
  await access.files.remove(versionsPath(access, session))
}

// A file of lines grows with every call. At this size it is written again with the last versions only.
const VERSIONS_BYTES_MAX = 131_072
const VERSIONS_MAX = 500
// One call may add many before the file is written again.
const VERSIONS_READ_MAX = 16 * VERSIONS_BYTES_MAX

function versionLines(versions: Iterable<FileVersion>): string {
  return [...versions].map(([path, oid]) => `${JSON.stringify(oid === undefined ? [path] : [path, oid])}\n`).join('')
}

/** The versions in the file's lines. The last line of a path counts; damaged lines are ignored. */
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
  const value = jsonOrUndefined(line)
  if (!Array.isArray(value) || typeof value[0] !== 'string') return null
  const oid: unknown = value[1]
  return oid === undefined || oid === null || typeof oid === 'string' ? [value[0], oid] : null
}

function versionsPath(access: GitDirAccess, session: string): string {
  return ownPath(access, 'seen', fileNameFor(session))
}
