import {
  accessSync,
  chmodSync,
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

// An agent waits for its hook, and loading `node:fs/promises` takes longer than all disk calls of a hook. The bundle of
// the hook has this module instead: each function does its work synchronously and returns a settled promise.

export const access = asPromise(accessSync)
export const chmod = asPromise(chmodSync)
export const link = asPromise(linkSync)
export const lstat = asPromise(lstatSync)
export const mkdir = asPromise(mkdirSync)
export const opendir = asPromise(opendirSync)
export const readFile = asPromise(readFileSync)
export const readdir = asPromise(readdirSync)
export const readlink = asPromise(readlinkSync)
export const realpath = asPromise(realpathSync.native)
export const rename = asPromise(renameSync)
export const rm = asPromise(rmSync)
export const stat = asPromise(statSync)
export const writeFile = asPromise(writeFileSync)

/** The part of a FileHandle that hooks use. */
export async function open(path: string, flags: string | number, mode?: number) {
  const fd = openSync(path, flags, mode)
  return {
    fd,
    stat: asPromise(() => fstatSync(fd)),
    read: asPromise((...args: ReadArguments) => ({ buffer: args[0], bytesRead: readSync(fd, ...args) })),
    readFile: asPromise(() => readFileSync(fd)),
    write: asPromise((bytes: Buffer) => ({ bytesWritten: writeSync(fd, bytes) })),
    writeFile: asPromise((bytes: Buffer | string) => writeFileSync(fd, bytes)),
    close: asPromise(() => closeSync(fd)),
  }
}

type ReadArguments = readonly [buffer: Buffer, offset: number, length: number, position: number | null]

function asPromise<A extends readonly unknown[], T>(work: (...args: A) => T): (...args: A) => Promise<T> {
  return (...args) => new Promise(resolve => resolve(work(...args)))
}
