import { fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Script } from 'node:vm'

/** What a file that is run asks for others by. */
export type Loading = {
  readonly require: NodeJS.Require
  /** Its `import()`, under the name `__import`: V8 does not keep where a script that it kept may import from. */
  readonly load?: (file: string) => Promise<unknown>
}

/**
 * Runs a CommonJS file as `require` would, but by what V8 kept of it when it ran before: to compile it again takes
 * longer than a judgement. That lies beside it, so whoever could change the one could change the other. It is kept when
 * the program ends, if `isWorthKeeping` says then that enough of it has been compiled.
 */
export function runCompiled(
  path: string,
  loading: Loading,
  isWorthKeeping: (exports: object) => boolean = () => true,
): object {
  const { source, stamp } = readStamped(path)
  const kept = keptAt(`${path}.v8`, stamp)
  const script = new Script(`(function (exports, require, module, __dirname, __import) {${source}\n})`, {
    filename: path,
    ...(kept ? { cachedData: kept } : {}),
  })
  const module = { exports: {} }
  if (!kept || script.cachedDataRejected === true) {
    process.once('exit', () => {
      if (isWorthKeeping(module.exports)) keep(`${path}.v8`, stamp, script.createCachedData())
    })
  }
  const run = script.runInThisContext() as Program
  run(module.exports, loading.require, module, dirname(path), loading.load)
  return module.exports
}

type Program = (exports: object, require: NodeJS.Require, module: object, folder: string, load: Loading['load']) => void

/** A file's text, and what is other when the file, or what runs it, is. */
function readStamped(path: string): { source: string; stamp: string } {
  const file = openSync(path, 'r')
  const source = readFileSync(file, 'utf8')
  // By the system's own time: package managers set the other one to a day in 1985.
  const { size, ctimeMs } = fstatSync(file)
  return { source, stamp: `${process.version} ${process.arch} ${size} ${ctimeMs}` }
}

function keptAt(path: string, stamp: string): Buffer | null {
  try {
    const bytes = readFileSync(path)
    const middle = (bytes.length + HEAD_BYTES) / 2
    const data = bytes.subarray(HEAD_BYTES, middle)
    const isWhole = bytes.toString('latin1', 0, HEAD_BYTES) === headOf(stamp) && data.equals(bytes.subarray(middle))
    return isWhole ? data : null
  } catch {
    return null
  }
}

// V8 ends the program when something is wrong with what it kept. So that stands there twice: nothing tells faster of a
// disk's mistakes. Where it can't be written, it is compiled anew each time.
function keep(path: string, stamp: string, data: Buffer): void {
  const temporary = `${path}.${process.pid}`
  try {
    writeFileSync(temporary, Buffer.concat([Buffer.from(headOf(stamp)), data, data]), { mode: 0o600 })
    renameSync(temporary, path)
  } catch {
    rmSync(temporary, { force: true })
  }
}

// V8 wants its data to begin where a word could.
const HEAD_BYTES = 128

function headOf(stamp: string): string {
  return `${stamp.padEnd(HEAD_BYTES - 1)}\n`
}
