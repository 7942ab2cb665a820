import type { Commit } from '../diff/commits.ts'
import type { Intent } from '../intents/intent.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import { readRegistry } from '../intents/registry.ts'
import { KotefError } from '../report/failure.ts'
import type { Found } from '../report/verification.ts'
import { textAt } from '../workspace/committed.ts'
import type { Range } from './range.ts'
import { withParents } from '../diff/range.ts'
import { type Check, runCheck } from '../workspace/run-check.ts'
import type { Bench } from './ranges.ts'

type Wish = { readonly env: NodeJS.ProcessEnv; readonly running: (command: string) => void }

/**
 * Runs the checks of each intent that the commits of a range cite, on the worktree, which must stand at its end. They
 * are taken from where the range begins: it can't soften its own.
 */
export async function verifyChecks(
  bench: Bench,
  { range, commits }: { readonly range: Range; readonly commits: readonly Commit[] },
  { env, running }: Wish,
): Promise<Found[]> {
  // A pipeline may stand on a merge of the range's end into the branch that it is for.
  const here = (await bench.git.tryAsk(withParents('HEAD'))) ?? []
  if (!here.includes(range.to)) throw elsewhere(range)
  const cited = new Set(commits.flatMap(it => it.cited))
  const intents = (await intentsBefore(bench, range, commits)).filter(it => cited.has(it.id))
  const findings: Found[] = []
  for (const { id, acceptance_criteria } of intents) {
    for (const check of acceptance_criteria.filter(it => typeof it !== 'string')) {
      running(check.cmd)
      const { met, why } = await runCheck(bench, check, env)
      if (!met) findings.push(notMet(id, check, why))
    }
  }
  return findings
}

async function intentsBefore({ blobs }: Bench, range: Range, commits: readonly Commit[]): Promise<readonly Intent[]> {
  const base = range.from ?? commits[0]?.parents[0] ?? range.to
  return readRegistry((await textAt(blobs, `${base}:${REGISTRY_PATH}`)) ?? '').intents
}

function notMet(id: string, { cmd }: Check, why: string): Found {
  const hint = 'Make it pass.'
  const finding = { rule: 'criteria-met', level: 'block', path: null, message: `${id}: ${cmd}: ${why}`, hint } as const
  return { ...finding, commit: null, subject: null }
}

function elsewhere({ name, to }: Range): KotefError {
  return new KotefError('range-unknown', `${name}: the worktree stands elsewhere, so its checks would prove nothing.`, {
    hint: `Go there first: \`git switch --detach ${to}\``,
  })
}
