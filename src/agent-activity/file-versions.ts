import { join } from 'node:path'
import { fileNameFor } from '../io/files/file-name.ts'
import { systemErrorCode } from '../io/files/files.ts'
import type { ActivityStore } from './windows.ts'

/** What a session knows of files: the blob oid of each path as it last read or wrote it; null where nothing stood. */
export type KnownVersions = ReadonlyMap<string, string | null>

/** A path as a session knows it from now on; undefined when it no longer knows it. */
export type FileVersion = readonly [path: string, oid: string | null | undefined]

/** What a session has seen so far. */
export async function readKnownVersions(store: ActivityStore, session: string): Promise<KnownVersions> {
  return parseVersions((await store.files.read(versionsPath(store, session)))?.toString('utf8') ?? '')
}

/** Takes down what a session has just seen. Calls at once each add lines of their own. */
export async function noteVersions(
  store: ActivityStore,
  session: string,
  versions: readonly FileVersion[],
): Promise<void> {
  if (versions.length === 0) return
  const path = versionsPath(store, session)
  const lines = Buffer.from(versionLines(versions))
  await store.files.append(path, lines).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) !== 'ENOENT') throw thrown
    return store.files.put(path, lines)
  })
  const end = await store.files.readEnd(path, 0)
  if ((end?.size ?? 0) < VERSIONS_BYTES_MAX) return
  const kept = [...(await readKnownVersions(store, session))].slice(-VERSIONS_MAX)
  await store.files.put(path, versionLines(kept))
}

/** Forgets what a session knows of some paths, and of all that lies below them. */
export async function forgetVersionsBelow(
  store: ActivityStore,
  session: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  const known = [...(await readKnownVersions(store, session)).keys()]
  const gone = known.filter(it => paths.some(path => it === path || it.startsWith(`${path}/`)))
  await noteVersions(
    store,
    session,
    gone.map(it => [it, undefined]),
  )
}

/** Forgets all that a session has seen. */
export async function forgetVersions(store: ActivityStore, session: string): Promise<void> {
  await store.files.remove(versionsPath(store, session))
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

function versionsPath({ gitDir }: Pick<ActivityStore, 'gitDir'>, session: string): string {
  return join(gitDir, 'kotef/seen', fileNameFor(session))
}
