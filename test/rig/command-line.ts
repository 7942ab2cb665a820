import { runCommandLine } from '../../src/cli/program.ts'
import { type KotefError, toKotefError } from '../../src/report/failure.ts'
import type { Repo } from './repo.ts'

/** What a command line came to, in-process: its answer, or the failure that stopped it. */
export type Said = {
  readonly text: string
  // Tests look into documents of every shape.
  readonly json: never
  readonly exit: number
  readonly failure: KotefError | null
  /** What was told on stderr meanwhile. */
  readonly told: readonly string[]
}

/** Runs kotef's command line in this process, in a repository of the rig. */
export async function say(repo: Pick<Repo, 'root' | 'env'>, ...words: string[]): Promise<Said> {
  const told: string[] = []
  const lines: string[] = []
  const around = { cwd: repo.root, env: repo.env(), interactive: false }
  const tell = (line: string) => void told.push(line)
  try {
    const answer = await runCommandLine(words, {
      ...around,
      blamed: null,
      begun: () => {},
      say: line => void lines.push(line),
      tell,
    })
    const text = answer?.text ?? lines.join('\n')
    return { text, json: answer?.json as never, exit: answer?.exit ?? 0, failure: null, told }
  } catch (thrown) {
    const failure = toKotefError(thrown)
    return { text: failure.message, json: undefined as never, exit: failure.exit, failure, told }
  }
}
