import { systemErrorCode } from '../files/files.ts'

/** True while a process with this id runs on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return systemErrorCode(thrown) === 'EPERM'
  }
}
