import { readdirSync, readFileSync } from 'node:fs'

/** Kills every process whose HOME lies in this folder (a rig's own), and tells their command lines. */
export function endProcessesOf(folder: string): string[] {
  const now = processIds()
  for (const pid of older) if (!now.includes(pid)) older.delete(pid) // Its number may be given again.
  const own = now.filter(pid => !older.has(pid) && homeOf(pid).startsWith(folder))
  const commands = own.map(pid => `${pid} ${processFile(pid, 'cmdline').replaceAll('\0', ' ')}`)
  for (const pid of own) kill(pid)
  return commands
}

// What ran before this module was loaded is not of any rig: to read all of it again for each test takes a while.
const older = new Set(processIds())

// Without a /proc nothing is found: then a test has to end what it started, as it should anyway.
function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function homeOf(pid: number): string {
  const home = processFile(pid, 'environ')
    .split('\0')
    .find(it => it.startsWith('HOME='))
  return home?.slice('HOME='.length) ?? ''
}

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return '' // It has ended meanwhile, or is somebody else's.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
