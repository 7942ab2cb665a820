import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LARGE_FILE_BYTES_MAX, readRegularFile } from '../../world/io/files/regular-file.ts'

/** True when git takes a word for a reference: a branch, a tag, one of a remote. Without git, by its files. */
export async function isReference(gitDir: string, word: string): Promise<boolean> {
  if (word.startsWith('.') || word.includes('..')) return false
  const common = resolve(gitDir, (await textOf(join(gitDir, 'commondir'))).trim())
  // The tables of `reftable` are git's own, so there every word may be one.
  if (await exists(join(common, 'reftable'))) return true
  const names = FOLDERS.map(it => `${it}${word}`)
  const loose = await Promise.all([join(gitDir, word), ...names.map(it => join(common, it))].map(isFile))
  if (loose.includes(true)) return true
  const packed = `${await textOf(join(common, 'packed-refs'))}\n`
  return names.some(it => packed.includes(` ${it}\n`))
}

const FOLDERS = ['refs/', 'refs/heads/', 'refs/tags/', 'refs/remotes/']

function textOf(path: string): Promise<string> {
  return readRegularFile(path, LARGE_FILE_BYTES_MAX).then(String, () => '')
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true
}
