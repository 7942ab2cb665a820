import { codeOf } from './files.ts'

/** True while there is a process of this number on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM'
  }
}
