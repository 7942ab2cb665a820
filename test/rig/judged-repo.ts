// The findings about new commits: `judgeNewHistory(repo)`; `runCommands` for a shell.

import type { LedgerEvent } from '../../src/core/ledger/event.ts'
import { judgeNewCommits } from '../../src/world/commits/judge-new-commits.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { hookedRepo } from './hooked-repo.ts'
import type { Repo } from './repo.ts'
import type { ProgramResult } from './run-program.ts'

/** As `hookedRepo`, with all that it has judged already. */
export async function judgedRepo(): Promise<Repo> {
  const repo = await hookedRepo()
  await judgeNewHistory(repo)
  return repo
}

/** What the next command that reads the ledger finds about commits: the rule, the path, and the commit's subject. */
export async function judgeNewHistory(repo: Pick<Repo, 'root' | 'git'>): Promise<string[]> {
  const records = await judgeNewCommits(await openWorkspace(repo.root))
  return Promise.all(records.map(it => eventText(repo, it.metadata['dev.kotef'])))
}

async function eventText(repo: Pick<Repo, 'git'>, reported: LedgerEvent): Promise<string> {
  if (reported.event === 'problem') return reported.message
  const subject = 'commit' in reported ? (await repo.git('log', '-1', '--format=%s', reported.commit ?? '')).trim() : ''
  return reported.event === 'violation'
    ? `${reported.rule} ${reported.path ?? '-'} in ${subject}`
    : `${reported.event} ${subject}`
}

/** Commits all that is changed as the squash button of a forge does: whole messages, and last who wrote them. */
export const FORGE_SQUASH = `git add -A; printf '%s\\n\\n' '* one' 'Intent-ID: INT-001' '* two' \\
  'Intent-ID: INT-002' --------- 'Co-authored-by: A <a@b>' | git -c core.hooksPath=/dev/null commit -qF -`

/** Takes the registry's merge driver out of a clone, as one without kotef, or a forge, merges: by lines. */
export const WITHOUT_DRIVER = 'git config --remove-section merge.kotef-registry; rm .git/info/attributes'

/** Runs commands of a shell, each of which must succeed until one fails. */
export function runCommands(
  repo: Repo,
  commands: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return repo.run('sh', ['-ec', commands], { env })
}

/** As `runCommands`, for steps that must succeed before a test begins. */
export async function playOrThrow(repo: Repo, commands: string): Promise<void> {
  const { code, stdout, stderr } = await runCommands(repo, commands)
  if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${stdout}${stderr}`)
}
