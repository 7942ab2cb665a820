// Commands of a shell in a tool call of an agent, and one call after the other under one daemon.

import { claudeSession, type ledgerRecords } from './agent-hooks.ts'
import { flushedRecords, governedRepo, startWatching } from './governed-repo.ts'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

// An agent works for INT-001, which owns `src/**`, and may not write in `lib`.

const LIB = { 'lib/tax': 'good\n', 'lib/auth': 'one\n', 'lib/fee': 'one fee\n', 'lib/rate': 'one rate\n' }
const FILES = { ...LIB, README: 'read\n', 'src/a': 'a\n' }

/** A repository with a history in `lib`: branches `base` and `other` beside the one that is checked out. */
export async function repoWithHistory(): Promise<Repo> {
  template ??= makeTemplate()
  const repo = await copyGoverned(await template)
  // The index has the inodes of the files that were copied.
  await repo.git('update-index', '-q', '--refresh')
  return repo
}

// Made once a worker, and copied.
let template: Promise<Repo> | undefined

async function makeTemplate(): Promise<Repo> {
  const repo = await governedRepo(FILES)
  await runInShell(repo, 'git branch -q base; sed -i s/one/two/ lib/*; save')
  await runInShell(repo, 'git switch -qc other base; echo more > lib/tax; save; git switch -q -')
  await runInShell(repo, AGED)
  await repo.kotef('session', 'end', '--all')
  return repo
}

// Git reads a file again that is as new as its index.
const AGED = 'touch -d "2 minutes ago" lib/* README; git update-index -q --refresh'

/** A repository with a history under a daemon, for one call of an agent after the other. */
export type WatchedHistory = AsyncDisposable & {
  readonly repo: Repo
  /**
   * Puts everything back as it was, runs the lines `before` for a person, each until it is recorded, and then the
   * command in a call; the records of the call. `TEXT` is a text that is nowhere else.
   */
  recordsOf(command: string, before?: string): Promise<Records>
}

/** Rows share it where the daemon's start is not the point: it takes more processes than a row. */
export async function watchedHistory(): Promise<WatchedHistory> {
  const repo = await repoWithHistory()
  await runInShell(repo, 'mkdir ../kept; cp -p .git/config .git/info/exclude ../kept')
  const [head = '', other = ''] = (await repo.git('rev-parse', 'HEAD', 'other')).split('\n')
  const daemon = await startWatching(repo, { hasChildren: false })
  let count = 0
  return {
    repo,
    async recordsOf(command, before = ':') {
      const unique = (text: string) => text.replaceAll('TEXT', `text-${count}`)
      count++
      await runInShell(repo, putBack(head, other))
      let known = (await flushedRecords(repo)).length
      for (const line of before === ':' ? [] : before.split('\n')) {
        await runInShell(repo, unique(line))
        known = (await flushedRecords(repo)).length
      }
      await runInCall(repo, unique(command))
      return (await flushedRecords(repo)).slice(known)
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
}

// Flags of files are in the index alone.
const putBack = (head: string, other: string): string => `
cp -p ../kept/config .git/config; cp -p ../kept/exclude .git/info/exclude
rm -rf .git/info/attributes .git/config.worktree .git/info/sparse-checkout ~/.config ../old ../x
if git ls-files -v | grep -q '^[a-zS]'; then rm .git/index; fi
git -c core.hooksPath=/dev/null checkout -qf -B main ${head}; git clean -fdqx -e .orchestration
git branch -qf other ${other}; git stash clear; ${AGED}`

/** Runs commands of a shell; `save` commits what is in `lib`. */
export async function runInShell(repo: Repo, command: string): Promise<void> {
  const { code, stderr } = await repo.run('sh', ['-ec', `${SAVE}; ${command}`])
  if (code !== 0) throw new Error(`${command}\nended with ${code}: ${stderr}`)
}

const SAVE = 'save() { git add lib; git -c core.hooksPath=/dev/null commit -qm save; }'

type Records = Awaited<ReturnType<typeof ledgerRecords>>

/** How the ledger tells of a path: the author of its writes, and the rules that they broke. */
export function reportedOf(records: Records, path: string): string[] {
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
