import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npmEnvironment } from './npm-packages.ts'
import { repositoryRoot } from './packed-kotef.ts'

/** Packages with source code: of npm as `name@version`, and of Debian by name. */
export type SourcePackages = { readonly npm: readonly string[]; readonly debian: readonly string[] }

/**
 * The paths of the files of these packages, in a folder below `node_modules/.cache/kotef` that later runs find again.
 * A package that can't be downloaded is an error.
 */
export function realSources(packages: SourcePackages): { folder: string; paths: readonly string[] } {
  const key = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 12)
  const folder = join(repositoryRoot, 'node_modules/.cache/kotef/sources', key)
  if (!existsSync(folder)) download(folder, packages)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(it => it.isFile())
  return { folder, paths: files.map(it => join(it.parentPath, it.name).slice(folder.length + 1)).sort() }
}

// Of two runs that want it at once each makes its own, and one keeps its place.
function download(folder: string, { npm, debian }: SourcePackages): void {
  const own = `${folder}.${process.pid}`
  const archives = join(own, 'archives')
  mkdirSync(archives, { recursive: true })
  try {
    retried(() => run(archives, 'npm', 'pack', '--silent', ...npm))
    retried(
      () => run(archives, 'apt-get', 'download', '--quiet', ...debian),
      () => run(archives, 'apt-get', 'update', '--quiet'),
    )
    for (const it of readdirSync(archives)) unpack(archives, it, join(own, 'files', packageName(it)))
    if (!existsSync(folder)) renameSync(join(own, 'files'), folder)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

const TRIES = 3

function retried(work: () => void, prepare: () => void = () => {}): void {
  for (let left = TRIES - 1; ; left--) {
    try {
      return work()
    } catch (thrown) {
      if (left === 0)
        throw new Error(`Real source code for a test can't be downloaded. ${String(thrown)}`, { cause: thrown })
      prepareAgain(prepare)
    }
  }
}

// What fails here makes the next try fail, which says more.
function prepareAgain(prepare: () => void): void {
  try {
    prepare()
  } catch {}
}

function unpack(archives: string, archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  if (archive.endsWith('.deb')) run(archives, 'dpkg-deb', '-x', archive, folder)
  else run(archives, 'tar', '-xzf', archive, '-C', folder)
}

// `express-4.21.2.tgz` and `ruby-rack_2.2.22-0_all.deb`: paths must not change with a Debian revision.
function packageName(archive: string): string {
  return archive.endsWith('.deb') ? archive.split('_')[0]! : archive.replace(/-\d+(\.\d+)+\.tgz$/, '')
}

function run(cwd: string, command: string, ...words: readonly string[]): void {
  execFileSync(command, words, { cwd, env: npmEnvironment(), encoding: 'utf8', stdio: 'pipe' })
}
