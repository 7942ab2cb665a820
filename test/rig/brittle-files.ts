// A disk whose k-th call fails: `brittleFiles(files, { failing: k })` over `disk` or `memoryFiles()`.

import { type Files, makeParentFolder, type OpenFile } from '../../src/world/io/files/files.ts'

export type BrittleFiles = Files & {
  /** True once the call has failed: a loop over k ends when a run got by without it. */
  hasFailed(): boolean
}

/** The given disk, but its k-th call (from 1) fails; a failing append still writes half of its bytes. */
export function brittleFiles(
  files: Files,
  { failing, dead = false }: { failing: number; dead?: boolean },
): BrittleFiles {
  let calls = 0
  const breaking =
    <Args extends unknown[], T>(verb: (...args: Args) => Promise<T>, half?: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      calls++
      // A dead disk is that of a killed process: nothing after the failing call happens.
      if (calls < failing || (calls > failing && !dead)) return verb(...args)
      if (calls === failing) await half?.(...args)
      throw Object.assign(new Error(`EIO: call ${calls} of the disk fails`), { code: 'EIO' })
    }
  const verbs = Object.entries(files).map(([name, verb]) => [name, breaking(verb as Verb)])
  const append = breaking(files.append, (path, bytes, options) =>
    files.append(path, bytes.subarray(0, bytes.length >> 1), options),
  )
  return { ...(Object.fromEntries(verbs) as Files), append, hasFailed: () => calls >= failing }
}

type Verb = (...args: unknown[]) => Promise<unknown>

/** A disk in memory: `text` is what a file holds, '' when there is none; `overwrite` leaves its links as they are. */
export type MemoryFiles = Files & { text(path: string): string; overwrite(path: string, bytes: Buffer | string): void }

// Locks are on the real disk, in a folder of their own.
const FOLDERS = { parentFolder: makeParentFolder, privateFolder: async () => {} } as const

/** Makes one, with hard links unless `links` is false. */
export function memoryFiles({ links = true }: { links?: boolean } = {}): MemoryFiles {
  const kept = new Map<string, MemoryFile>()
  let files = 0
  const put = (path: string, bytes: Buffer | string) =>
    void kept.set(path, { identity: String(++files), bytes: Buffer.from(bytes) })
  return {
    read: async path => kept.get(path)?.bytes ?? null,
    async readEnd(path, bytesMax) {
      const bytes = kept.get(path)?.bytes
      return bytes ? { bytes: bytes.subarray(Math.max(0, bytes.length - bytesMax)), size: bytes.length } : null
    },
    readAt: async (path, from, to) => (kept.get(path)?.bytes ?? Buffer.alloc(0)).subarray(from, to),
    open: async path => openInMemory(kept.get(path)?.bytes),
    async append(path, bytes, { creates = true } = {}) {
      const file = kept.get(path)
      if (!file && !creates) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
      if (file) file.bytes = Buffer.concat([file.bytes, bytes])
      else put(path, bytes)
    },
    sync: async () => {},
    replace: async (path, bytes) => put(path, Array.isArray(bytes) ? bytes.join('') : (bytes as Buffer | string)),
    put: async (path, bytes) => put(path, bytes),
    async move(from, to) {
      const file = kept.get(from)
      if (!file || file === kept.get(to)) return
      kept.delete(from)
      kept.set(to, file)
    },
    async link(path, to) {
      const file = kept.get(path)
      if (!links || !file || kept.has(to)) return false
      kept.set(to, file)
      return true
    },
    async stat(path) {
      const file = kept.get(path)
      return file ? { identity: file.identity, size: file.bytes.length, isFile: true } : null
    },
    ...FOLDERS,
    list: async directory => namesIn([...kept.keys()], `${directory}/`),
    remove: async path => void kept.delete(path),
    clear: async path => void kept.delete(path),
    modifiedAt: async path => (kept.has(path) ? 0 : null),
    overwrite(path, bytes) {
      const file = kept.get(path)
      if (file) file.bytes = Buffer.from(bytes)
    },
    text: path => kept.get(path)?.bytes.toString('utf8') ?? '',
  }
}

function openInMemory(bytes: Buffer | undefined): OpenFile | null {
  if (!bytes) return null
  const read = async (from: number, to: number) => bytes.subarray(from, to)
  return { size: bytes.length, read, [Symbol.asyncDispose]: async () => {} }
}

type MemoryFile = { readonly identity: string; bytes: Buffer }

function namesIn(paths: readonly string[], prefix: string): string[] {
  const inside = paths.filter(path => path.startsWith(prefix))
  return [...new Set(inside.map(path => path.slice(prefix.length).split('/')[0] ?? ''))]
}
