import {
  accessSync,
  chmodSync,
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

// An agent waits for its hook, and Node's own promises take longer to set up than all that a hook asks a disk for.
// The program of the hook has this module in the place of `node:fs/promises`: it does at once what is to be awaited.

export const access = asPromise(accessSync)
export const chmod = asPromise(chmodSync)
export const link = asPromise(linkSync)
export const lstat = asPromise(lstatSync)
export const mkdir = asPromise(mkdirSync)
export const readFile = asPromise(readFileSync)
export const readdir = asPromise(readdirSync)
export const readlink = asPromise(readlinkSync)
export const realpath = asPromise(realpathSync.native)
export const rename = asPromise(renameSync)
export const rm = asPromise(rmSync)

/** As much of a FileHandle as hooks use. */
export async function open(path: string, flags: string | number, mode?: number) {
  const fd = openSync(path, flags, mode)
  return {
    fd,
    stat: asPromise(() => fstatSync(fd)),
    read: asPromise((...stretch: ReadArguments) => ({ buffer: stretch[0], bytesRead: readSync(fd, ...stretch) })),
    write: asPromise((bytes: Buffer) => ({ bytesWritten: writeSync(fd, bytes) })),
    writeFile: asPromise((bytes: Buffer | string) => writeFileSync(fd, bytes)),
    close: asPromise(() => closeSync(fd)),
  }
}

type ReadArguments = readonly [buffer: Buffer, offset: number, length: number, position: number | null]

function asPromise<A extends readonly unknown[], T>(work: (...args: A) => T): (...args: A) => Promise<T> {
  return (...args) => new Promise(resolve => resolve(work(...args)))
}
