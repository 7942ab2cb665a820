import { join } from 'node:path'
import { changesBetween } from '../diff/blobs-between.ts'
import { type Change, emptyTree } from '../diff/staged.ts'
import { looseSince, packedSince } from './objects.ts'
import { contentOf, type Memory } from './memory.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What lies, or lately lay, in stashes. */
export type Stashes = {
  /** What is known is taken up: of what came since, it is taken down what nobody had looked at. */
  begin(): Promise<void>
  /** Looks at which stashes there are: the next `stash pop` takes one away. */
  look(): Promise<void>
  /** True when a stash has a blob at a path, or (null) has the path deleted; an `old` one was there at rest. */
  holds(path: string, oid: string | null, age?: 'old'): Promise<boolean>
  /** True when a path that HEAD did not have has gone into a stash since it was looked at, whatever it held then. */
  took(path: string): Promise<boolean>
  /** The blob that the newest stash had at a path of those that went in this period. */
  popped(path: string): Promise<string | null>
  /** A new period begins. */
  rested(): Promise<void>
}

/** Remembers the stashes of a clone. */
export function stashesOf(workspace: Workspace, memory: Memory): Stashes {
  const opened = new Map<string, Promise<Opened>>()
  const noted = new Map<string, Promise<void>>()
  // What stands, or lately stood; each is opened when it is first asked for: git keeps those that are dropped for weeks.
  const seen = new Set<string>()
  let standing: ReadonlySet<string> = new Set()
  // What came since somebody last looked; null until that is known.
  let came: ReadonlySet<string> | null = null
  const rests = restsOf()
  const open = (stash: string): Promise<Opened> =>
    opened.get(stash) ?? kept(opened, stash, contentsOf(workspace, stash))
  const forget = (stash: string): void => {
    seen.delete(stash)
    opened.delete(stash)
    noted.delete(stash)
  }
  const look = async (): Promise<void> => {
    const end = await workspace.files.readEnd(join(workspace.commonDir, 'logs/refs/stash'), BYTES_MAX)
    standing = new Set(stashesIn(end?.bytes.toString('utf8') ?? ''))
    rests.see(standing, workspace.clock.now())
    for (const stash of standing) seen.add(stash)
    for (const stash of [...seen].slice(0, -STASHES_MAX)) forget(stash)
    if (!came) return
    await Promise.all([...standing].map(it => noted.get(it) ?? kept(noted, it, note(it))))
    if (String(memory.stashes) !== String([...standing])) memory.revision++
    memory.stashes = [...standing]
  }
  const madeAt = async (oid: string): Promise<number> => (await looseSince(workspace, oid)) ?? -Infinity
  const takenAt = async (stash: string): Promise<number> => (await looseSince(workspace, stash)) ?? rests.cameAt(stash)
  const isOld = async (path: string, oid: string): Promise<boolean> => {
    const { period } = memory
    const at = await madeAt(oid)
    // Packed while nobody watched, it may be as new as the stash.
    if (at === -Infinity && (await packedSince(workspace, period.since()))) return isInHistory(workspace, path, oid)
    return at < period.since()
  }
  const note = async (stash: string): Promise<void> => {
    const isNew = came?.has(stash) || (await takenAt(stash)) >= memory.period.since()
    if (isNew) await missFrom(memory, await open(stash), isOld)
  }
  const all = async (stash: string): Promise<Contents> => {
    const { tracked, untracked } = await open(stash)
    return new Map([...tracked, ...untracked])
  }
  return {
    async begin() {
      await look()
      rests.begin(standing)
      const { stashes } = memory
      came = new Set(stashes === null ? [] : [...standing].filter(it => !stashes.includes(it)))
      await look()
    },
    look,
    async holds(path, oid, age) {
      await look()
      for (const stash of seen) {
        if ((await all(stash)).get(path) !== oid) continue
        if (age === undefined) return true
        if (!came?.has(stash) && (await takenAt(stash)) < memory.period.since()) return true
      }
      return false
    },
    async took(path) {
      await look()
      const since = memory.period.looked(path).at
      for (const stash of standing)
        if ((await open(stash)).added.has(path) && (await takenAt(stash)) + TICK_MS >= since) return true
      return false
    },
    async popped(path) {
      await look()
      const gone = [...seen].filter(it => !standing.has(it)).map(all)
      return (await Promise.all(gone)).findLast(it => it.has(path))?.get(path) ?? null
    },
    async rested() {
      await look()
      for (const stash of seen) if (!standing.has(stash) && !rests.had(stash)) forget(stash)
      rests.add(standing)
    },
  }
}

/** Which stashes were there at the last two rests; before the first look nobody knows. */
function restsOf() {
  const seen = new Map<string, number>()
  let [first, last]: (ReadonlySet<string> | null)[] = [null, null]
  return {
    begin: (standing: ReadonlySet<string>) => void (first ??= last ??= standing),
    see(standing: ReadonlySet<string>, now: number): void {
      for (const stash of standing) if (!seen.has(stash)) seen.set(stash, now)
    },
    add(standing: ReadonlySet<string>): void {
      first = last ?? standing
      last = standing
    },
    had: (stash: string): boolean => last?.has(stash) ?? false,
    /** When one came at the latest that was packed at once: it was not there before. */
    cameAt: (stash: string): number => ((first?.has(stash) ?? true) ? -Infinity : (seen.get(stash) ?? Infinity)),
  }
}

function kept<T>(map: Map<string, Promise<T>>, key: string, value: Promise<T>): Promise<T> {
  map.set(key, value)
  // What could not be asked is asked again.
  value.catch(() => map.delete(key))
  return value
}

type Contents = ReadonlyMap<string, string | null>

// The clock of files may be a tick behind.
const TICK_MS = 10
const BYTES_MAX = 8_192
const STASHES_MAX = 20

// `<old> <new> <who> <when> <zone>\t<message>`; the newest comes last.
function stashesIn(log: string): string[] {
  return [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].flatMap(([, oid]) => oid ?? [])
}

/** Takes down what went into a stash before anybody looked: a later period could not tell that it is new. */
async function missFrom(
  memory: Memory,
  { tracked, untracked }: Opened,
  isOld: (path: string, oid: string) => Promise<boolean>,
): Promise<void> {
  const isUnknown = (path: string, oid: string): boolean =>
    contentOf(memory, path)?.oid !== oid && !memory.period.knows(path, oid)
  for (const [path, oid] of untracked) if (oid !== null && isUnknown(path, oid)) memory.period.miss(path, oid)
  for (const [path, oid] of tracked)
    if (oid !== null && isUnknown(path, oid) && !(await isOld(path, oid))) memory.period.miss(path, oid)
}

type Opened = {
  readonly tracked: Contents
  readonly untracked: Contents
  /** What HEAD did not have: these are gone when they are in the stash. */
  readonly added: ReadonlySet<string>
}

/** True when a commit, also one that only a log names, brought a blob to a path or took it away. */
async function isInHistory({ git }: Workspace, path: string, oid: string): Promise<boolean> {
  const args = ['log', '--exclude=refs/stash', '--all', 'HEAD', '-1', '--format=%H', `--find-object=${oid}`, '--', path]
  return (await git.tryAsk({ args, parse: out => out !== '' })) ?? true
}

/** A stash is a commit on top of the HEAD that it was made on; its third parent holds what was untracked. */
async function contentsOf({ git }: Workspace, oid: string): Promise<Opened> {
  const tracked = (await git.tryAsk(changesBetween(`${oid}^1`, oid))) ?? []
  const untracked = (await git.tryAsk(changesBetween(await git.ask(emptyTree), `${oid}^3`))) ?? []
  const added = [...tracked, ...untracked].filter(it => it.before === null).map(it => it.path)
  return { tracked: blobsIn(tracked), untracked: blobsIn(untracked), added: new Set(added) }
}

function blobsIn(changes: readonly Change[]): Contents {
  return new Map(changes.map(({ path, after }) => [path, after?.oid ?? null]))
}
