import { join } from 'node:path'
import { fileNameFor } from '../io/file-name.ts'
import { codeOf } from '../io/files.ts'
import type { Place } from './windows.ts'

/** What a session knows of files: the blob oid of each path as it last read or wrote it; null where nothing stood. */
export type Seen = ReadonlyMap<string, string | null>

/** A path as a session knows it from now on; undefined when it no longer knows it. */
export type Sight = readonly [path: string, oid: string | null | undefined]

/** What a session has seen so far. */
export async function seenBy(place: Place, session: string): Promise<Seen> {
  return seenIn((await place.files.read(pathOf(place, session)))?.toString('utf8') ?? '')
}

/** Takes down what a session has just seen. Calls at once each add lines of their own. */
export async function see(place: Place, session: string, sights: readonly Sight[]): Promise<void> {
  if (sights.length === 0) return
  const path = pathOf(place, session)
  const lines = Buffer.from(textOf(sights))
  await place.files.append(path, lines).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'ENOENT') throw thrown
    return place.files.put(path, lines)
  })
  const end = await place.files.readEnd(path, 0)
  if ((end?.size ?? 0) < BYTES_MAX) return
  const kept = [...(await seenBy(place, session))].slice(-PATHS_MAX)
  await place.files.put(path, textOf(kept))
}

/** Forgets what a session knows of some paths, and of all that lies below them. */
export async function forgetBelow(place: Place, session: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const known = [...(await seenBy(place, session)).keys()]
  const gone = known.filter(it => paths.some(path => it === path || it.startsWith(`${path}/`)))
  await see(
    place,
    session,
    gone.map(it => [it, undefined]),
  )
}

/** Forgets all that a session has seen. */
export async function forgetSeen(place: Place, session: string): Promise<void> {
  await place.files.remove(pathOf(place, session))
}

const BYTES_MAX = 131_072
const PATHS_MAX = 500

function textOf(sights: Iterable<Sight>): string {
  return [...sights].map(([path, oid]) => `${JSON.stringify(oid === undefined ? [path] : [path, oid])}\n`).join('')
}

/** The last line about a path holds; what is no such line says nothing. */
function seenIn(text: string): Seen {
  const seen = new Map<string, string | null>()
  for (const line of text.split('\n')) {
    const [path, oid] = sightIn(line) ?? []
    if (path === undefined) continue
    seen.delete(path)
    if (oid !== undefined) seen.set(path, oid)
  }
  return seen
}

function sightIn(line: string): Sight | null {
  try {
    const value: unknown = JSON.parse(line)
    if (!Array.isArray(value) || typeof value[0] !== 'string') return null
    const oid: unknown = value[1]
    return oid === undefined || oid === null || typeof oid === 'string' ? [value[0], oid] : null
  } catch {
    return null
  }
}

function pathOf({ gitDir }: Pick<Place, 'gitDir'>, session: string): string {
  return join(gitDir, 'kotef/seen', fileNameFor(session))
}
