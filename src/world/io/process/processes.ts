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

/** True below a `git commit --amend`; false below any other git, and where its words are not visible. */
export function isBelowAmend(): boolean {
  const git = ancestry().find(({ name }) => name === 'git')?.pid
  if (git === undefined) return false
  const words = readProc(git, 'cmdline')?.split('\0') ?? runPs(['-o', 'args=', '-p', String(git)])?.split(/\s+/)
  return words?.includes('--amend') ?? false
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
  const stat = procStat(pid)
  return stat && { parent: stat.parent || null, name: stat.name }
}

/** What `/proc/PID/stat` says of a process. */
export type ProcStat = {
  readonly name: string
  readonly isZombie: boolean
  readonly parent: number
  readonly session: number
  /** The number of its controlling terminal; 0 without one. */
  readonly terminal: number
  /** In hundredths of a second since the start of the machine. */
  readonly startTicks: number
}

/** The entry of a process in /proc; null for one that does not run, and on systems without /proc. */
export function procStat(pid: number): ProcStat | null {
  const text = readProc(pid, 'stat')
  if (text === null) return null
  // `pid (name) state parent …`. The name may contain spaces and brackets.
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const [parent = 0, , session = 0, terminal = 0] = fields.slice(1, 5).map(Number)
  const name = text.slice(text.indexOf('(') + 1, end)
  return { name, isZombie: fields[0] === 'Z', parent, session, terminal, startTicks: Number(fields[19]) }
}

// For systems without /proc, such as macOS.
function readFromPs(): ReadProcess {
  const found = new Map<number, { parent: number; name: string }>()
  for (const line of processTable(['pid=', 'ppid=', 'comm='])) {
    const [, pid, parent, name = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    if (pid && parent) found.set(Number(pid), { parent: Number(parent), name: nameInTable(name) })
  }
  return pid => found.get(pid) ?? null
}

/** The name of a program in the column `comm` of `ps`: a path on macOS, and with `-` before it for a login shell. */
export function nameInTable(column: string): string {
  // A title that a program gives itself may have a path in it: `npm exec @scope/name`.
  return (/^-?\/|^\S*\//.test(column) ? basename(column) : column).trim().replace(/^-/, '')
}

/** The lines of `ps` about all processes, with these columns; none where it does not run. */
export function processTable(columns: readonly string[]): string[] {
  return (runPs(['-A', ...columns.flatMap(it => ['-o', it])]) ?? '').split('\n')
}

function runPs(words: readonly string[]): string | null {
  try {
    const env = { ...process.env, LC_ALL: 'C' }
    return execFileSync('ps', words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return null
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
  const stat = procStat(pid)
  return stat === null || stat.isZombie ? null : String(stat.startTicks)
}

function startByPs(pid: number): string | null {
  if (readFromProc(process.pid) !== null || !isProcessAlive(pid)) return null
  return runPs(['-o', 'lstart=', '-p', String(pid)])?.trim() || null
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

function readProc(pid: number | 'self', name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return null
  }
}

/** The control group of this process; null where the system has none. */
export function ownGroup(): string | null {
  return readProc('self', 'cgroup')
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
