import { readFileSync, realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const BYTES_NEEDED = 4 * 2 ** 30

/** Where a test run makes its folders: in memory where there is plenty that runs programs, else where all do. */
export function testFolder(): string {
  return hasSpace() && !isNoExec() ? MEMORY : realpathSync(tmpdir())
}

function hasSpace(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > BYTES_NEEDED
  } catch {
    return false
  }
}

function isNoExec(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.filter(it => it.split(' ')[1] === MEMORY).map(it => it.split(' ')[3] ?? '')
  return options.some(it => it.split(',').includes('noexec'))
}
