import { claudeSession, ledgerRecords } from './agent-hooks.ts'
import { governedRepo } from './governed-repo.ts'
import type { Repo } from './repo.ts'

// An agent works for INT-001, which owns `src/**`, and may not write in `lib`.

const FILES = { 'lib/tax': 'good\n', 'lib/auth': 'one\n', README: 'read\n', 'src/a': 'a\n' }

/** A repository with a history in `lib`: branches `base` and `other` beside the one that is checked out. */
export async function repoWithHistory(): Promise<Repo> {
  const repo = await governedRepo(FILES)
  await runInShell(repo, 'git branch -q base; echo two > lib/auth; save')
  await runInShell(repo, 'git switch -qc other base; echo more > lib/tax; save; git switch -q -')
  // Git reads a file again that is as new as its index.
  await runInShell(repo, 'touch -d "2 minutes ago" lib/* README; git update-index --refresh')
  await repo.kotef('session', 'end', '--all')
  return repo
}

/** Runs commands of a shell; `save` commits what is in `lib`. */
export async function runInShell(repo: Repo, command: string): Promise<void> {
  const { code, stderr } = await repo.run('sh', ['-ec', `${SAVE}; ${command}`])
  if (code !== 0) throw new Error(`${command}\nended with ${code}: ${stderr}`)
}

const SAVE = 'save() { git add lib; git -c core.hooksPath=/dev/null commit -qm save; }'

type Records = Awaited<ReturnType<typeof ledgerRecords>>

/** How the ledger tells of a path: the author of its writes, and the rules that they broke. */
export function toldOf(records: Records, path: string): string[] {
  const events = records.flatMap(({ files, metadata: { 'dev.kotef': it } }) => {
    if (it.event === 'write' && files.some(file => file.path === path)) return [`written: ${it.attribution}`]
    return it.event === 'violation' && it.path === path && it.rule !== 'git-settings' ? [it.rule] : []
  })
  return [...new Set(events)]
}

/** Runs commands in a tool call of an agent, of which the gate can't know what it writes. */
export async function runInCall(repo: Repo, command: string): Promise<void> {
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make')
  await runInShell(repo, command)
  // The answer may be that it wrote out of its scope.
  await claude.hasRun('make').catch(() => {})
}
