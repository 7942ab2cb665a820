import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runGit } from '../../world/io/git/run-git.ts'

/** Shows a text in the pager that git would use; false where git would use none, or when it can't be started. */
export async function showInPager(text: string, cwd: string): Promise<boolean> {
  const { exit, stdout } = await runGit(['var', 'GIT_PAGER'], { cwd, env: process.env })
  const command = stdout.toString('utf8').trim()
  if (exit !== 0 || command === '' || command === 'cat') return false
  // As git does: less ends when the text fits on one screen, and shows colours.
  const env = { LESS: 'FRX', LV: '-c', ...process.env }
  const pager = spawn(command, { cwd, env, shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(pager, 'close') as Promise<[number | null]>
  // A reader may leave before the end; Ctrl-C belongs to the pager.
  pager.stdin.on('error', () => {})
  const ignoreInterrupt = (): void => {}
  process.on('SIGINT', ignoreInterrupt)
  pager.stdin.end(text)
  const [code] = await ended.catch(() => [NOT_FOUND])
  process.off('SIGINT', ignoreInterrupt)
  return code !== NOT_FOUND
}

// A shell's exit code for a command that does not exist.
const NOT_FOUND = 127
