import type { Files } from '../../src/io/files/files.ts'

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
  const append = breaking(files.append, (path, bytes) => files.append(path, bytes.subarray(0, bytes.length >> 1)))
  return { ...(Object.fromEntries(verbs) as Files), append, hasFailed: () => calls >= failing }
}

type Verb = (...args: unknown[]) => Promise<unknown>

/** A disk in memory; `text` is what a file holds, '' when there is none. */
export function memoryFiles(): Files & { text(path: string): string } {
  const kept = new Map<string, Buffer>()
  const put = (path: string, bytes: Buffer | string) => void kept.set(path, Buffer.from(bytes))
  return {
    read: async path => kept.get(path) ?? null,
    async readEnd(path, bytesMax) {
      const bytes = kept.get(path)
      return bytes ? { bytes: bytes.subarray(Math.max(0, bytes.length - bytesMax)), size: bytes.length } : null
    },
    readAt: async (path, from, to) => (kept.get(path) ?? Buffer.alloc(0)).subarray(from, to),
    append: async (path, bytes) => put(path, Buffer.concat([kept.get(path) ?? Buffer.alloc(0), bytes])),
    sync: async () => {},
    replace: async (path, bytes) => put(path, bytes),
    put: async (path, bytes) => put(path, bytes),
    async move(from, to) {
      const bytes = kept.get(from)
      if (bytes && kept.delete(from)) put(to, bytes)
    },
    link: async () => false,
    privateFolder: async () => {},
    list: async directory => namesIn([...kept.keys()], `${directory}/`),
    remove: async path => void kept.delete(path),
    clear: async path => void kept.delete(path),
    modifiedAt: async path => (kept.has(path) ? 0 : null),
    text: path => kept.get(path)?.toString('utf8') ?? '',
  }
}

function namesIn(paths: readonly string[], prefix: string): string[] {
  const inside = paths.filter(path => path.startsWith(prefix))
  return [...new Set(inside.map(path => path.slice(prefix.length).split('/')[0] ?? ''))]
}
