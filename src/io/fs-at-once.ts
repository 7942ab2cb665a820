import * as fs from 'node:fs'

// An agent waits for its hook, and Node's own promises take longer to set up than all that a hook asks a disk for.
// The program of the hook has this module in the place of `node:fs/promises`: it does at once what is to be awaited.

export const access = atOnce(fs.accessSync)
export const chmod = atOnce(fs.chmodSync)
export const link = atOnce(fs.linkSync)
export const lstat = atOnce(fs.lstatSync)
export const mkdir = atOnce(fs.mkdirSync)
export const readFile = atOnce(fs.readFileSync)
export const readdir = atOnce(fs.readdirSync)
export const readlink = atOnce(fs.readlinkSync)
export const realpath = atOnce(fs.realpathSync.native)
export const rename = atOnce(fs.renameSync)
export const rm = atOnce(fs.rmSync)

/** As much of a FileHandle as hooks use. */
export async function open(path: string, flags: string | number, mode?: number) {
  const fd = fs.openSync(path, flags, mode)
  return {
    fd,
    stat: atOnce(() => fs.fstatSync(fd)),
    read: atOnce((...stretch: Stretch) => ({ buffer: stretch[0], bytesRead: fs.readSync(fd, ...stretch) })),
    write: atOnce((bytes: Buffer) => ({ bytesWritten: fs.writeSync(fd, bytes) })),
    writeFile: atOnce((bytes: Buffer | string) => fs.writeFileSync(fd, bytes)),
    close: atOnce(() => fs.closeSync(fd)),
  }
}

type Stretch = readonly [buffer: Buffer, offset: number, length: number, position: number | null]

function atOnce<A extends readonly unknown[], T>(work: (...args: A) => T): (...args: A) => Promise<T> {
  return (...args) => new Promise(resolve => resolve(work(...args)))
}
