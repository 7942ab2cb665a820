import { runCommandLine } from '../../src/shells/cli/program.ts'
import { type KotefError, toKotefError } from '../../src/core/base/failure.ts'
import type { Repo } from './repo.ts'

/** What a command line came to, in-process: its answer, or the failure that stopped it. */
export type CliResult = {
  readonly text: string
  // Tests look into documents of every shape.
  readonly json: never
  readonly exit: number
  readonly failure: KotefError | null
  /** What was told on stderr meanwhile. */
  readonly stderrLines: readonly string[]
}

/** Runs kotef's command line in this process, in a repository of the rig. */
export async function runCli(repo: Pick<Repo, 'root' | 'env'>, ...words: string[]): Promise<CliResult> {
  const stderrLines: string[] = []
  const lines: string[] = []
  const around = { cwd: repo.root, env: repo.env(), interactive: false }
  const report = (line: string) => void stderrLines.push(line)
  try {
    const answer = await runCommandLine(words, {
      ...around,
      prefetched: { blame: null, scan: null, watchThread: null },
      onStarted: () => {},
      endNow: () => {},
      print: line => void lines.push(line),
      notify: report,
    })
    const text = answer?.text ?? lines.join('\n')
    return { text, json: answer?.json as never, exit: answer?.exit ?? 0, failure: null, stderrLines }
  } catch (thrown) {
    const failure = toKotefError(thrown)
    return { text: failure.message, json: undefined as never, exit: failure.exit, failure, stderrLines }
  }
}
