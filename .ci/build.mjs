// Builds dist/, unless it was built from these very sources and nobody has changed it since: tests, packing and benches
// all begin with a build.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const STAMP = 'node_modules/.cache/kotef/built'
const SOURCES = ['.ci', 'src', 'package.json', 'package-lock.json', 'tsconfig.json']

if (readOrNull(STAMP) !== stampNow()) {
  rmSync(STAMP, { force: true })
  run('tsc')
  run('tsc', '-p', '.ci/tsconfig.client.json')
  run('node', '.ci/bundle.mjs')
  run('tsc', '-p', '.ci/tsconfig.run.json')
  mkdirSync(dirname(STAMP), { recursive: true })
  writeFileSync(STAMP, stampNow())
}

function run(program, ...args) {
  try {
    execFileSync(program, args, { stdio: 'inherit' })
  } catch (thrown) {
    if (typeof thrown.status !== 'number') throw thrown
    // The program has said what is wrong.
    process.exit(thrown.status)
  }
}

// Of what goes in and of what came out.
function stampNow() {
  const hash = createHash('sha256').update(process.version)
  for (const path of [...SOURCES, 'dist'].flatMap(filesAt)) {
    const bytes = readFileSync(path)
    hash.update(`${path} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

// Programs that ran leave V8's compiled code in dist/.
function filesAt(path) {
  const entries = listOrNull(path)
  if (entries === null) return [path]
  return entries
    .filter(it => !it.endsWith('.v8'))
    .sort()
    .flatMap(it => filesAt(join(path, it)))
}

function listOrNull(path) {
  try {
    return readdirSync(path)
  } catch (thrown) {
    if (thrown.code === 'ENOTDIR') return null
    if (thrown.code === 'ENOENT') return []
    throw thrown
  }
}

function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
