import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** How the file that is run loads other modules. */
export type ModuleLoader = {
  readonly require: NodeJS.Require
  /** Replaces `import()`, under the name `__import`: code from V8's cache has no loader for dynamic imports. */
  readonly load?: (name: string) => unknown
}

/**
 * Runs a CommonJS file as `require` would, with V8's compiled code from earlier runs, because compiling takes longer
 * than most runs. The cache is a file beside the source, so it needs no more trust than the source. V8 compiles a
 * function when it is first called, so one run does not compile everything: when the program ends, `useOf` names the
 * use that this run was (a verb, say), or null. The first run of each use adds its functions to the cache.
 */
export function runWithCompileCache(
  path: string,
  loading: ModuleLoader,
  useOf: (exports: object) => string | null = () => 'any',
): object {
  const { source, stamp } = readWithStamp(path)
  // The cache fits one version of Node without options; with options, two callers would overwrite each other's file.
  const isPlain = process.execArgv.length === 0 && !process.env['NODE_OPTIONS']
  const cachePath = `${path}.${process.version}-${process.arch}.v8`
  const cached = isPlain ? readCachedCode(cachePath, stamp) : null
  const script = new Script(`(function (exports, require, module, __filename, __dirname, __import) {${source}\n})`, {
    filename: path,
    ...(cached ? { cachedData: cached.data } : {}),
  })
  const uses = cached && script.cachedDataRejected !== true ? cached.uses : []
  const module = { exports: {} }
  const saveNew = (): void => {
    const use = isPlain ? useOf(module.exports) : null
    if (use !== null && !uses.includes(use)) writeCachedCode(cachePath, cacheHeader(stamp, [...uses, use]), script)
  }
  pendingSaves.set(path, saveNew)
  process.once('exit', saveAfterShortRun)
  const run = script.runInThisContext() as (...args: unknown[]) => void
  run(module.exports, loading.require, module, path, dirname(path), loading.load)
  return module.exports
}

/** Saves what V8 has compiled so far, once: long-running programs call it after start-up, others on exit. */
export function saveCompileCache(): void {
  for (const [path, work] of pendingSaves) if (pendingSaves.delete(path)) attemptSave(work)
}

// V8 forgets the code of functions that were not called for some garbage collections: what a long run has at its end is
// not what the next one starts with. What it has after start-up is, which a slow machine reaches late.
function saveAfterShortRun(): void {
  if (cpuMs() < RUN_CPU_MS_MAX) saveCompileCache()
}

const RUN_CPU_MS_MAX = 1_000

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const pendingSaves = new Map<string, () => void>()

/** A file's text, and a stamp that differs when the file has changed. */
function readWithStamp(path: string): { source: string; stamp: string } {
  // ctime, because package managers set mtime to a fixed day in 1985.
  const { size, ctimeMs } = statSync(path)
  // latin1 reads and compiles in a third of the time of UTF-8; `.ci/bundle.mjs` checks that bundles are ASCII.
  const source = readFileSync(path, 'latin1')
  return { source, stamp: `${size} ${ctimeMs}` }
}

type CachedCode = { readonly uses: readonly string[]; readonly data: Buffer }

function readCachedCode(path: string, stamp: string): CachedCode | null {
  try {
    const bytes = readFileSync(path)
    const middle = (bytes.length + HEADER_BYTES) / 2
    const data = bytes.subarray(HEADER_BYTES, middle)
    const head = bytes.toString('latin1', 0, HEADER_BYTES).trimEnd()
    const isWhole = head.startsWith(`${stamp} `) && data.equals(bytes.subarray(middle))
    return isWhole ? { uses: head.slice(stamp.length + 1).split(','), data } : null
  } catch {
    return null
  }
}

// V8 crashes on damaged cache data, so the data is stored twice and compared when it is read, which is faster than a
// checksum. In a folder that is not writable there is no cache, and each run compiles again.
function writeCachedCode(path: string, head: string, script: Script): void {
  const temporary = `${path}.${process.pid}`
  if (head.length >= HEADER_BYTES) return
  const file = openSync(temporary, 'wx', 0o600)
  try {
    const data = script.createCachedData()
    writeFileSync(file, Buffer.concat([Buffer.from(head.padEnd(HEADER_BYTES)), data, data]))
    renameSync(temporary, path)
  } catch {
    rmSync(temporary, { force: true })
  } finally {
    closeSync(file)
  }
}

// The program has done its work: a cache that can't be saved must not change its result.
function attemptSave(work: () => void): void {
  try {
    work()
  } catch {
    // The next run tries again.
  }
}

// Room for the stamp and the uses. A multiple of 8, because V8 requires aligned data.
const HEADER_BYTES = 1_024

function cacheHeader(stamp: string, uses: readonly string[]): string {
  return `${stamp} ${uses.join(',')}`
}
