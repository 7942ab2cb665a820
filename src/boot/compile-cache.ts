import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** What a file that is run asks for others by. */
export type ModuleLoader = {
  readonly require: NodeJS.Require
  /** Its `import()`, under the name `__import`: V8 does not keep where a script that it kept may import from. */
  readonly load?: (name: string) => unknown
}

/**
 * Runs a CommonJS file as `require` would, but by what V8 kept of it when it ran before: to compile it again takes
 * longer than most of what it does. That lies beside it, so whoever could change the one could change the other. When
 * the program ends, `useOf` names what it was used for, null for nothing that counts: V8 has compiled what that takes,
 * and this is kept as well if it is the first such use.
 */
export function runWithCompileCache(
  path: string,
  loading: ModuleLoader,
  useOf: (exports: object) => string | null = () => 'any',
): object {
  const { source, stamp } = readWithStamp(path)
  // What is kept holds for one Node, with no options: others would take its place in turn.
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
  process.once('exit', saveCompileCache)
  const run = script.runInThisContext() as (...args: unknown[]) => void
  run(module.exports, loading.require, module, path, dirname(path), loading.load)
  return module.exports
}

/** Keeps what V8 has compiled by now, and nothing that comes later: for a program that goes on for long. */
export function saveCompileCache(): void {
  for (const [path, work] of pendingSaves) if (pendingSaves.delete(path)) attemptSave(work)
}

const pendingSaves = new Map<string, () => void>()

/** A file's text, and what is other when the file, or what runs it, is. */
function readWithStamp(path: string): { source: string; stamp: string } {
  // By the system's own time: package managers set the other one to a day in 1985.
  const { size, ctimeMs } = statSync(path)
  // A text of one byte a letter takes a third of the time, to read and to go through.
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

// V8 ends the program when something is wrong with what it kept. So that stands there twice: nothing tells faster of a
// disk's mistakes. Where it can't be written, nothing is made, and it is compiled anew each time.
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

// What was to be done is done: no answer may change because nothing of it could be kept.
function attemptSave(work: () => void): void {
  try {
    work()
  } catch {
    // The next one tries again.
  }
}

// V8 wants its data to begin where a word could.
const HEADER_BYTES = 1_024

function cacheHeader(stamp: string, uses: readonly string[]): string {
  return `${stamp} ${uses.join(',')}`
}
