import { readFileSync } from 'node:fs'
import { agentVariable } from '../../../core/agents/detect-agent.ts'
import type { ProcessFacts } from '../../../core/authorship/proof-of-person.ts'
import { PROCESS_TICK_MS, PS_START_MS } from '../../../core/base/process-times.ts'
import { nameInTable, processTable, type ProcStat, procStat } from './processes.ts'

/** A process (null for this one) and those above it, up to the system's first; empty where they are not visible. */
export function processChain(read: ProcessReader, first: number | null = null): ProcessFacts[] {
  const chain: ProcessFacts[] = []
  for (
    let it = read(first ?? ownPid());
    it !== null && chain.length < LEVELS_MAX;
    it = it.parent > 0 ? read(it.parent) : null
  )
    chain.push(it)
  return chain
}

const LEVELS_MAX = 64

/** Returns the facts of a process; null for one that does not run, or is not visible. */
export type ProcessReader = (pid: number) => ProcessFacts | null

/** Opens a reader. Without /proc it knows the processes of that moment, by one run of `ps`. */
export function processReader(): ProcessReader {
  const own = procStat(ownPid())
  return own === null ? readerByPs() : readerByProc(own)
}

// In a namespace of its own a process has another id than the one by which /proc knows it.
function ownPid(): number {
  return Number(/^\d+/.exec(readText('/proc/self/stat') ?? '')?.[0] ?? process.pid)
}

function readerByProc(own: ProcStat): ProcessReader {
  const bootAt = bootTime(own)
  return pid => {
    const stat = procStat(pid)
    if (stat === null) return null
    const { parent, name, session, terminal, startTicks } = stat
    return {
      pid,
      parent,
      name,
      session,
      isLeader: session === pid,
      terminal: terminal === 0 ? null : String(terminal),
      startedAt: bootAt + (startTicks + 1) * PROCESS_TICK_MS,
      group: readText(`/proc/${pid}/cgroup`),
      agentVariable: agentVariable(variablesOf(pid)),
    }
  }
}

// Some containers have an uptime of their own, while processes count from the start of the machine.
function bootTime({ startTicks }: ProcStat): number {
  const byUptime = Date.now() - Number((readText('/proc/uptime') ?? '').split(' ')[0] || NaN) * 1000
  const isPlausible = byUptime + startTicks * PROCESS_TICK_MS <= Date.now() + PROCESS_TICK_MS
  return isPlausible ? byUptime : performance.timeOrigin - startTicks * PROCESS_TICK_MS
}

// The environment that the process was started with: unsetting a variable later does not change it.
function variablesOf(pid: number): Record<string, string> {
  const entries = (readText(`/proc/${pid}/environ`) ?? '').split('\0')
  return Object.fromEntries(entries.map(it => [it.slice(0, it.indexOf('=')), it.slice(it.indexOf('=') + 1)]))
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

/** As `processReader`, for systems without /proc, such as macOS. */
export function readerByPs(lines: readonly string[] = processTable(COLUMNS)): ProcessReader {
  const found = new Map(lines.flatMap(it => entryIn(it)))
  return pid => found.get(pid) ?? null
}

const COLUMNS = ['pid=', 'ppid=', 'stat=', 'tty=', 'lstart=', 'comm=']

function entryIn(line: string): [number, ProcessFacts][] {
  const [, id, parent, state = '', tty = '', started = '', name = ''] = PS_LINE.exec(line) ?? []
  const pid = Number(id)
  const startedAt = Date.parse(started) + PS_START_MS
  if (id === undefined || Number.isNaN(startedAt)) return []
  const terminal = /^\?+$/.test(tty) ? null : tty
  const known = { pid, parent: Number(parent), name: nameInTable(name), terminal, startedAt }
  return [[pid, { ...known, isLeader: state.includes('s'), session: null, group: null, agentVariable: null }]]
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\w+ +\w+ +\d+ [\d:]+ \d+)\s+(.*)$/
