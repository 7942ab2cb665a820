import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The processes that this one comes from, nearest first, as far as it can be seen; never the one all come from. */
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
    // `pid (name) state parent …`, and a name may hold anything.
    return Number(text.slice(text.lastIndexOf(')')).split(' ')[2]) || null
  } catch {
    return null
  }
}

// Where there is no /proc, as on macOS.
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
