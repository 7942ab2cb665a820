import { systemErrorCode } from '../files/files.ts'

/** True while there is a process of this number on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return systemErrorCode(thrown) === 'EPERM'
  }
}
