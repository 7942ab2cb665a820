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

export const access = atOnce(accessSync)
export const chmod = atOnce(chmodSync)
export const link = atOnce(linkSync)
export const lstat = atOnce(lstatSync)
export const mkdir = atOnce(mkdirSync)
export const readFile = atOnce(readFileSync)
export const readdir = atOnce(readdirSync)
export const readlink = atOnce(readlinkSync)
export const realpath = atOnce(realpathSync.native)
export const rename = atOnce(renameSync)
export const rm = atOnce(rmSync)

/** As much of a FileHandle as hooks use. */
export async function open(path: string, flags: string | number, mode?: number) {
  const fd = openSync(path, flags, mode)
  return {
    fd,
    stat: atOnce(() => fstatSync(fd)),
    read: atOnce((...stretch: Stretch) => ({ buffer: stretch[0], bytesRead: readSync(fd, ...stretch) })),
    write: atOnce((bytes: Buffer) => ({ bytesWritten: writeSync(fd, bytes) })),
    writeFile: atOnce((bytes: Buffer | string) => writeFileSync(fd, bytes)),
    close: atOnce(() => closeSync(fd)),
  }
}

type Stretch = readonly [buffer: Buffer, offset: number, length: number, position: number | null]

function atOnce<A extends readonly unknown[], T>(work: (...args: A) => T): (...args: A) => Promise<T> {
  return (...args) => new Promise(resolve => resolve(work(...args)))
}
