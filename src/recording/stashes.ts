import { join } from 'node:path'
import { blobsBetween } from '../diff/blobs-between.ts'
import { emptyTree } from '../diff/staged.ts'
import { looseSince } from './objects.ts'
import { contentOf, type Memory } from './memory.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What lies, or lately lay, in stashes. */
export type Stashes = {
  /** Looks at which stashes there are: the next `stash pop` takes one away. */
  look(): Promise<void>
  /** True when a stash has a blob at a path, or (null) has the path deleted; an `old` one was there at rest. */
  holds(path: string, oid: string | null, age?: 'old'): Promise<boolean>
  /** True when a path has gone into a stash since it was looked at, with whatever it held then. */
  took(path: string): Promise<boolean>
  /** The blob that the newest stash had at a path of those that went in this period. */
  popped(path: string): Promise<string | null>
  /** A new period begins. */
  rested(): Promise<void>
}

/** Remembers the stashes of a clone. */
export function stashesOf(workspace: Workspace, memory: Memory): Stashes {
  const contents = new Map<string, Promise<Contents>>()
  let standing: ReadonlySet<string> = new Set()
  const rests = restsOf()
  const look = async (): Promise<void> => {
    const end = await workspace.files.readEnd(join(workspace.commonDir, 'logs/refs/stash'), BYTES_MAX)
    standing = new Set(stashesIn(end?.bytes.toString('utf8') ?? ''))
    rests.see(standing, workspace.clock.now())
    for (const oid of standing) if (!contents.has(oid)) contents.set(oid, open(oid))
    for (const oid of [...contents.keys()].slice(0, -STASHES_MAX)) contents.delete(oid)
  }
  const madeAt = async (oid: string): Promise<number> => (await looseSince(workspace, oid)) ?? -Infinity
  const takenAt = async (stash: string): Promise<number> => (await looseSince(workspace, stash)) ?? rests.cameAt(stash)
  const isOld = async (oid: string): Promise<boolean> => (await madeAt(oid)) < memory.period.since()
  const open = async (stash: string): Promise<Contents> => {
    const contents = await contentsOf(workspace, stash)
    if ((await takenAt(stash)) >= memory.period.since()) await missFrom(memory, contents, isOld)
    return new Map([...contents.tracked, ...contents.untracked])
  }
  // Whoever begins to watch knows which were there.
  void look().then(() => rests.begin(standing), ignore)
  return {
    look,
    async holds(path, oid, age) {
      await look()
      for (const [stash, content] of contents)
        if ((await content).get(path) === oid && (age === undefined || (await isOld(stash)))) return true
      return false
    },
    async took(path) {
      await look()
      const since = memory.period.looked(path).at
      for (const [stash, content] of contents)
        if (standing.has(stash) && (await content).get(path) && (await takenAt(stash)) + TICK_MS >= since) return true
      return false
    },
    async popped(path) {
      await look()
      const gone = [...contents].flatMap(([oid, content]) => (standing.has(oid) ? [] : [content]))
      return (await Promise.all(gone)).findLast(it => it.has(path))?.get(path) ?? null
    },
    async rested() {
      await look()
      for (const oid of contents.keys()) if (!standing.has(oid) && !rests.had(oid)) contents.delete(oid)
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

function ignore(): void {}

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
  isOld: (oid: string) => Promise<boolean>,
): Promise<void> {
  const isUnknown = (path: string, oid: string): boolean =>
    contentOf(memory, path)?.oid !== oid && !memory.period.knows(path, oid)
  for (const [path, oid] of untracked) if (oid !== null && isUnknown(path, oid)) memory.period.miss(path, oid)
  for (const [path, oid] of tracked)
    if (oid !== null && isUnknown(path, oid) && !(await isOld(oid))) memory.period.miss(path, oid)
}

type Opened = { readonly tracked: Contents; readonly untracked: Contents }

/** A stash is a commit on top of the HEAD that it was made on; its third parent holds what was untracked. */
async function contentsOf({ git }: Workspace, oid: string): Promise<Opened> {
  const tracked = await git.tryAsk(blobsBetween(`${oid}^1`, oid))
  const untracked = await git.tryAsk(blobsBetween(await git.ask(emptyTree), `${oid}^3`))
  return { tracked: tracked ?? new Map(), untracked: untracked ?? new Map() }
}
