import { spawn } from 'node:child_process'

/** Starts a program; false when it can't be started. */
export type StartProgram = (file: string, args: readonly string[]) => Promise<boolean>

/** Has the system's browser open a file; false when there is no program for that. */
export function openPage(path: string, start: StartProgram = startDetachedProgram): Promise<boolean> {
  if (process.platform === 'darwin') return start('open', [path])
  if (process.platform === 'win32') return start('rundll32', ['url.dll,FileProtocolHandler', path])
  return start('xdg-open', [path])
}

// A browser may run for as long as its person works.
const startDetachedProgram: StartProgram = (file, args) =>
  new Promise(resolve => {
    const child = spawn(file, args, { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false)).once('spawn', () => resolve(true))
    child.unref()
  })
