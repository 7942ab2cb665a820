// A repository with one git operation after the other under one daemon, and the records of each.

import { setTimeout as delay } from 'node:timers/promises'
import { readDaemonAddress } from '../../src/world/io/daemon-client/ask-daemon.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { governedRepo, startWatching, flushedWrites } from './governed-repo.ts'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

/** A record in short: what happened to which path, and the lines that were written. */
export type ShortRecord = readonly [op: string, path: string, ...ranges: (readonly [number, number])[]]

/**
 * What is done to a repository that is watched: what is typed and told of first, what stands there before, and the
 * commands of which the records tell. `TEXT` is a text that is nowhere else.
 */
export type Operation = {
  readonly typed?: string
  readonly before?: string
  /** The daemon stands still until `before` is over. */
  readonly isUnseen?: boolean
  readonly run: string
  /** The daemon stands still until `run` is over, so it sees no state in between, however slow the machine is. */
  readonly isAtOnce?: boolean
  /** For how long the daemon stands still from the begin of `run`, as on a machine that has other things to do. */
  readonly stillMs?: number
  readonly writes?: readonly ShortRecord[]
}

export type OperationRepo = AsyncDisposable & {
  readonly repo: Repo
  /** Cleans up, runs an operation on a fresh branch, and tells what was recorded of it, sorted by path. */
  recordsOf(operation: Operation): Promise<ShortRecord[]>
}

/**
 * A repository under a daemon, for one operation of git after the other. `main` and `other` have parted, and merge;
 * `clash` merges with none of them, and `ahead` is two commits further than `main`.
 */
export async function operationRepo(): Promise<OperationRepo> {
  template ??= makeTemplate()
  const repo = await copyGoverned(await template)
  await script(repo, 'git update-index -q --refresh; git clone -q --bare . ../remote')
  // A move of HEAD would start a process that writes notes, and slow down what follows.
  const daemon = await startWatching(repo, { hasChildren: false })
  const { pid } = (await readDaemonAddress(await openWorkspace(repo.root)))!
  let count = 0
  return {
    repo,
    async recordsOf(operation) {
      // What git has seen once it knows for good.
      const text = `text-${++count}`
      const { typed = ':', before, run, isUnseen = false, isAtOnce = false } = operation
      const { stillMs = isAtOnce ? 0 : undefined } = operation
      const play = (commands: string) => script(repo, commands.replaceAll('TEXT', text))
      const goOn = () => process.kill(pid, 'SIGCONT')
      await play(`${CLEAN_UP}\n${typed}`)
      let known = (await flushedWrites(repo)).length
      if (before !== undefined) {
        if (isUnseen) process.kill(pid, 'SIGSTOP')
        await play(before).finally(goOn)
        known = (await flushedWrites(repo)).length
      }
      if (stillMs !== undefined) process.kill(pid, 'SIGSTOP')
      await Promise.all([play(run), delay(stillMs ?? 0)]).finally(goOn)
      const records = (await flushedWrites(repo)).slice(known).map(shortRecord)
      return records.sort((a, b) => (`${a[1]} ${a[0]}` < `${b[1]} ${b[0]}` ? -1 : 1))
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
}

// Made once a worker, and copied.
let template: Promise<Repo> | undefined

async function makeTemplate(): Promise<Repo> {
  const repo = await governedRepo()
  await script(repo, HISTORY)
  return repo
}

function shortRecord({ files: [file] }: Awaited<ReturnType<typeof flushedWrites>>[number]): ShortRecord {
  const ranges = file?.conversations.flatMap(it => it.ranges.map(of => [of.start_line, of.end_line] as const)) ?? []
  return [file?.kotef.op ?? '', file?.path.replace('src/', '') ?? '', ...ranges]
}

async function script(repo: Repo, text: string): Promise<void> {
  const { code, stdout, stderr } = await repo.run('sh', ['-ec', `${SHELL_FUNCTIONS}\n${text}`])
  if (code !== 0) throw new Error(`${text}\nended with ${code}:\n${stdout}${stderr}`)
}

// `line 3 text file` writes one line of a file, in place; `save` commits all there is.
const SHELL_FUNCTIONS = `
slowly() { git -c core.hooksPath=../slow "$@"; }
line() { awk -v n="$1" -v text="$2" 'NR == n { print text; next } { print }' "src/$3" > ../line; cat ../line > src/$3; }
save() { git add -A; git commit -qm "$1"; }
todo() { GIT_SEQUENCE_EDITOR="sed -i '$1'" git -c core.abbrev=40 rebase -q -i "$2"; }
stops() { if "$@" > ../out 2>&1; then echo "did not stop: $*"; return 1; fi; }
`

const HISTORY = `
git config core.hooksPath /dev/null
git config advice.detachedHead false
git config submodule.recurse false
mkdir -p src/deep; seq 20 > src/a; seq 20 > src/b; echo gone > src/gone; echo deep > src/deep/file; save base
git switch -qc other; line 20 other a; echo new > src/new; git rm -q src/gone; save other; line 10 other b; save other-2
git switch -qc clash main; line 1 clash a; save clash
git switch -q main; line 1 main a; save mine
git switch -qc ahead; line 12 ahead a; save ahead; line 14 ahead a; echo more > src/more; save ahead-2
git switch -q main`

/** Ends what git has begun and stopped at, if there is any: to ask each command takes ten processes. */
export const END_WHAT_STOPPED = `
for it in .git/rebase-* .git/*_HEAD .git/sequencer .git/MERGE_*; do
  case $it in *\\**|*/ORIG_HEAD|*/FETCH_HEAD) continue;; esac
  for it in rebase merge cherry-pick revert am; do git $it --abort 2> ../out || git $it --quit 2> ../out || :; done
  break
done`

const CLEAN_UP = `
${END_WHAT_STOPPED}
git switch -qf -C work main; git clean -qfdx -e .orchestration; git stash clear`
