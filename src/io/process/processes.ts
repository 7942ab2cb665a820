import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { systemErrorCode } from '../files/files.ts'

/** The ids of the parent processes, nearest first, as far as they are visible; without process 1. */
export function processAncestors(): number[] {
  const chain: number[] = []
  const parentOf = parentFromProc(process.pid) === null ? parentsFromPs() : parentFromProc
  for (let pid: number | null = process.ppid; pid !== null && pid > 1 && chain.length < LEVELS_MAX;) {
    chain.push(pid)
    pid = parentOf(pid)
  }
  return chain
}

const LEVELS_MAX = 32

type ParentOf = (pid: number) => number | null

const parentFromProc: ParentOf = pid => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // `pid (name) state parent …`. The name may contain spaces and brackets.
    return Number(text.slice(text.lastIndexOf(')')).split(' ')[2]) || null
  } catch {
    return null
  }
}

// For systems without /proc, such as macOS.
function parentsFromPs(): ParentOf {
  const parents = new Map<number, number>()
  for (const line of processTable()) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    if (pid && parent) parents.set(pid, parent)
  }
  return pid => parents.get(pid) ?? null
}

function processTable(): string[] {
  try {
    const words = ['-A', '-o', 'pid=,ppid=']
    return execFileSync('ps', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
  } catch {
    return []
  }
}

/** True while a process with this id runs on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return systemErrorCode(thrown) === 'EPERM'
  }
}
