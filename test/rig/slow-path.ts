// Whether a hook left the fast path, and the git commands that ran: `copyWithSlowPathTrap`, `runTracingGit`.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

const BUNDLE = '.git/kotef/hook.cjs'

/** A copy of a hooked repository in which whoever takes the long way is seen, and stopped. */
export async function copyWithSlowPathTrap(template: Repo): Promise<Repo> {
  const repo = await copyGoverned(template)
  await repo.write(BUNDLE, 'console.error(`${process.argv[2]} takes the long way`); process.exit(88)\n')
  return repo
}

/** Makes the policy's files older than a shell can mistake for new: some compare whole seconds. */
export async function backdatePolicyFiles(repo: Repo): Promise<void> {
  const files = '.orchestration/active_intents.yaml .orchestration/config.yaml .sdd/KOTEF.md .intentignore'
  await repo.run('sh', ['-c', `for it in ${files}; do touch -d '1 minute ago' "$it"; done`])
}

/** Runs a command; its outcome, and the git commands that ran under it but for git's own housekeeping. */
export async function runTracingGit(repo: Repo, command: string, env: Readonly<Record<string, string>> = {}) {
  const trace = join(repo.base, 'git-trace')
  const outcome = await repo.run('sh', ['-c', `: >'${trace}'; ${command}`], {
    env: { ...env, GIT_TRACE2_EVENT: trace },
  })
  const events = (await readFile(trace, 'utf8')).split('\n').filter(Boolean)
  const names = events
    .map(it => JSON.parse(it) as { event: string; name?: string })
    .filter(it => it.event === 'cmd_name')
  return { ...outcome, calls: names.map(it => it.name ?? '').filter(it => it !== 'maintenance' && it !== 'gc') }
}
