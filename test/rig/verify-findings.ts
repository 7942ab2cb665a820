import type { Verification } from '../../src/core/report/verification.ts'
import { runCli } from './command-line.ts'
import type { Repo } from './repo.ts'

/** What `kotef verify` finds: how bad, the rule, the path, and the commit's subject; or why it can't tell. */
export async function verifyFindings(repo: Pick<Repo, 'root' | 'env'>, ...words: string[]): Promise<string[]> {
  const { json, failure, exit } = await runCli(repo, 'verify', ...words)
  if (failure) return [`exit ${failure.exit}: ${failure.code}`]
  const { findings } = json as Verification
  const blocks = findings.some(it => it.level === 'block')
  if (blocks !== (exit === 1)) throw new Error(`The exit code is ${exit}, and ${findings.length} problems were found.`)
  return findings.map(it => `${it.level} ${it.rule} ${it.path ?? '-'} in ${it.subject ?? '-'}`)
}

/** A commit of all that is changed, which no hook sees; each word is a paragraph of its message. */
export function bypass(...paragraphs: readonly string[]): string {
  const words = paragraphs.map(it => `-m '${it.replaceAll("'", "'\\''")}'`)
  return `git add -A; git -c core.hooksPath=/dev/null commit -q --allow-empty ${words.join(' ')}`
}
