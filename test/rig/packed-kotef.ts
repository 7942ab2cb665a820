import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The repository that is under test. */
export const repositoryRoot = packageRootAbove(import.meta.dirname)

// Found by looking, because the benches run from a bundle that lies elsewhere.
function packageRootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageRootAbove(dirname(folder))
}

/** Where one test run keeps the kotef that it tests: packed, unpacked, and callable by name. */
export type PackedKotef = {
  /** What `npm publish` would upload. */
  readonly tarball: string
  /** The package as unpacked, with this repository's node_modules beside it. */
  readonly root: string
  /** A folder for PATH: `kotef`, `kotef-watch`, and the `node` that runs the tests. */
  readonly bin: string
}

/** The package of this test run; its global set-up has made it. */
export function packedKotef(): PackedKotef {
  const run = process.env['KOTEF_TEST_RUN']
  if (!run) throw new Error('KOTEF_TEST_RUN is not set: run vitest with --config test/vitest.config.ts.')
  return packedIn(run)
}

/** Packs what is built into `run`. Whoever rebuilds while tests are running does not disturb them. */
export function packKotef(run: string): PackedKotef {
  const packed = packedIn(run, npmPack(run))
  execFileSync('tar', ['-xzf', packed.tarball, '-C', run])
  symlinkSync(join(repositoryRoot, 'node_modules'), join(packed.root, 'node_modules'))
  mkdirSync(packed.bin)
  symlinkSync(process.execPath, join(packed.bin, 'node'))
  writeProgram(packed, 'kotef', 'main.cjs')
  writeProgram(packed, 'kotef-watch', 'main-watch.cjs')
  return packed
}

function packedIn(run: string, tarball = readdirSync(run).find(it => it.endsWith('.tgz')) ?? 'none.tgz'): PackedKotef {
  return { tarball: join(run, tarball), root: join(run, 'package'), bin: join(run, 'bin') }
}

function npmPack(run: string): string {
  if (!existsSync(join(repositoryRoot, 'dist/main.cjs'))) throw new Error('There is no dist/main.cjs to pack.')
  const options = { cwd: repositoryRoot, encoding: 'utf8', stdio: 'pipe' } as const
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', run], options)
  const [{ filename }] = JSON.parse(out) as [{ filename: string }]
  return filename
}

function writeProgram({ bin, root }: PackedKotef, name: string, script: string): void {
  const path = join(bin, name)
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist', script)}" "$@"\n`)
  chmodSync(path, 0o755)
}
