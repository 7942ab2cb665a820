import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { systemErrorCode } from '../files/files.ts'

/** The ids of the parent processes, nearest first, as far as they are visible; without process 1. */
export function processAncestors(): number[] {
  return ancestry().map(it => it.pid)
}

/** The nearest parent process that is not a shell, which is an agent when its hook asks; null when none is visible. */
export function nearestProgram(): number | null {
  return ancestry().find(({ name }) => !SHELLS.has(name))?.pid ?? null
}

// With `timeout`, by which `hooks/agent` starts kotef.
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'busybox', 'env', 'timeout', 'cmd.exe'])

type AncestorProcess = { readonly pid: number; readonly name: string }

function ancestry(): AncestorProcess[] {
  const chain: AncestorProcess[] = []
  const read = readFromProc(process.pid) === null ? readFromPs() : readFromProc
  for (let pid: number | null = process.ppid; pid !== null && pid > 1 && chain.length < LEVELS_MAX;) {
    const found = read(pid)
    chain.push({ pid, name: found?.name ?? '' })
    pid = found?.parent ?? null
  }
  return chain
}

const LEVELS_MAX = 32

type ReadProcess = (pid: number) => { readonly parent: number | null; readonly name: string } | null

const readFromProc: ReadProcess = pid => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // `pid (name) state parent …`. The name may contain spaces and brackets.
    const end = text.lastIndexOf(')')
    return { parent: Number(text.slice(end).split(' ')[2]) || null, name: text.slice(text.indexOf('(') + 1, end) }
  } catch {
    return null
  }
}

// For systems without /proc, such as macOS.
function readFromPs(): ReadProcess {
  const found = new Map<number, { parent: number; name: string }>()
  for (const line of processTable()) {
    const [, pid, parent, name = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    // A login shell has `-` before its name.
    if (pid && parent) found.set(Number(pid), { parent: Number(parent), name: basename(name).replace(/^-/, '') })
  }
  return pid => found.get(pid) ?? null
}

function processTable(): string[] {
  try {
    const words = ['-A', '-o', 'pid=,ppid=,comm=']
    return execFileSync('ps', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
  } catch {
    return []
  }
}

/** A process; a later one with the same id has another start. */
export type RunningProcess = { readonly pid: number; readonly started: string }

/** The process with an id; null when none runs that this one can see. */
export function runningProcess(pid: number): RunningProcess | null {
  const started = startInProc(pid) ?? startByPs(pid)
  return started === null ? null : { pid, started }
}

/** True as long as exactly this process runs. */
export function isStillRunning({ pid, started }: RunningProcess): boolean {
  return runningProcess(pid)?.started === started
}

function startInProc(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

function startByPs(pid: number): string | null {
  if (readFromProc(process.pid) !== null || !isProcessAlive(pid)) return null
  try {
    const words = ['-o', 'lstart=', '-p', String(pid)]
    return execFileSync('ps', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null
  } catch {
    return null
  }
}

/**
 * The process directly below `pid` that this one belongs to; null when that is this process itself, or `pid` is gone.
 * The process `pid` when this one is not below it.
 */
export function branchBelow(pid: number): RunningProcess | null {
  const ancestors = processAncestors()
  const level = ancestors.indexOf(pid)
  return level === 0 ? null : runningProcess(ancestors[level - 1] ?? pid)
}

/**
 * The process directly below `pid` that this one belongs to, when it runs this one and nothing else, as what starts a
 * hook does. Null when it runs more, and where `/proc` can't show it.
 */
export function starterBelow(pid: number): { readonly pid: number; readonly command: string } | null {
  const ancestors = processAncestors()
  const chain = [process.pid, ...ancestors.slice(0, Math.max(0, ancestors.indexOf(pid)))]
  const starter = chain.at(-1)
  const isAlone = chain.slice(1).every((it, n) => readProc(it, `task/${it}/children`)?.trim() === String(chain[n]))
  if (!isAlone || starter === undefined || starter === process.pid) return null
  const command = readProc(starter, 'cmdline')
  return command === null ? null : { pid: starter, command }
}

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return null
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
