import { quoted } from '../../src/report/printable.ts'
import type { Started } from './process.ts'
import type { Repo } from './repo.ts'

/** Runs a command line of kotef at a pseudo terminal of ordinary width, at which a test can type. */
export function atTerminal(repo: Repo, words: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const command = `stty cols 200 rows 50; exec kotef ${words.map(quoted).join(' ')}`
  return repo.start('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], { env })
}
