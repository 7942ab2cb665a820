import { expect, test } from 'vitest'
import { claudeSession, ledgerRecords } from '../../rig/agent-hooks.ts'
import { governedRepo, flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// An agent that works for INT-001, which owns `src/**`, runs a command of which the gate can't know what it writes. All
// these make git call the file in `lib` clean, or ignored, or its own.
const UNSEEN: readonly (readonly [name: string, path: string, command: string])[] = [
  ['a plain write', 'lib/tax', 'echo evil > lib/tax'],
  ['assume-unchanged', 'lib/tax', 'git update-index --assume-unchanged lib/tax; echo evil > lib/tax'],
  ['assume-unchanged, removed', 'lib/tax', 'git update-index --assume-unchanged lib/tax; rm lib/tax'],
  ['assume-unchanged afterwards', 'lib/tax', 'echo evil > lib/tax; git update-index --assume-unchanged lib/tax'],
  ['skip-worktree', 'lib/tax', 'git update-index --skip-worktree lib/tax; echo evil > lib/tax'],
  ['core.ignoreStat', 'lib/tax', 'git config core.ignoreStat true; touch lib/tax; git add lib; echo evil > lib/tax'],
]

const FILES = { 'lib/tax': 'good\n', 'lib/auth': 'one\n', README: 'read\n', 'src/a': 'a\n' }

async function victim(): Promise<Repo> {
  const repo = await governedRepo(FILES)
  await shell(repo, 'echo two > lib/auth; git -c core.hooksPath=/dev/null commit -qam two')
  // Git reads a file again that is as new as its index.
  await shell(repo, 'touch -d "2 minutes ago" lib/* README; git update-index --refresh')
  await repo.kotef('session', 'end', '--all')
  return repo
}

async function shell(repo: Repo, command: string): Promise<void> {
  const { code, stderr } = await repo.run('sh', ['-ec', command])
  if (code !== 0) throw new Error(`${command}\nended with ${code}: ${stderr}`)
}

type Records = Awaited<ReturnType<typeof ledgerRecords>>

/** How the ledger tells of a path: the author of its writes, and the rules that they broke. */
function told(records: Records, path: string): string[] {
  const events = records.flatMap(({ files, metadata: { 'dev.kotef': it } }) => {
    if (it.event === 'write' && files.some(file => file.path === path)) return [`written: ${it.attribution}`]
    return it.event === 'violation' && it.path === path ? [it.rule] : []
  })
  return [...new Set(events)]
}

const TOLD = ['written: window', 'in-scope']

async function runAsAgent(repo: Repo, command: string): Promise<void> {
  const claude = claudeSession(repo, 's-1')
  await claude.willRun('make')
  await shell(repo, command)
  // The answer may be that it wrote out of its scope.
  await claude.hasRun('make').catch(() => {})
}

test.for(UNSEEN)('%s: the write is recorded by a daemon', async ([, path, command]) => {
  await using repo = await victim()
  await using _daemon = await startWatching(repo)
  await runAsAgent(repo, command)
  expect(told(await flushedRecords(repo), path)).toEqual(TOLD)
})

test.for(UNSEEN)('%s: the write is recorded where nobody watches', async ([, path, command]) => {
  await using repo = await victim()
  await runAsAgent(repo, command)
  expect(told(await ledgerRecords(repo), path)).toEqual(TOLD)
})

// A person keeps a local version of a tracked file, or leaves files out.
const HARMLESS: readonly (readonly [name: string, before: string, command: string])[] = [
  ['a flag on a file that stays as it is', ':', 'git update-index --assume-unchanged lib/tax; touch lib/tax'],
  ['the same from before', 'git update-index --skip-worktree lib/tax', 'touch lib/tax'],
  ['a local version from before', 'echo own > lib/tax; git update-index --skip-worktree lib/tax', ':'],
  ['a sparse checkout', ':', 'git sparse-checkout set src .orchestration'],
  ['a sparse checkout from before', 'git sparse-checkout set src .orchestration', ':'],
]

test.for(HARMLESS)('%s: nothing is recorded by a daemon', async ([, before, command]) => {
  await using repo = await victim()
  await shell(repo, before)
  await using _daemon = await startWatching(repo)
  await runAsAgent(repo, command)
  expect(told(await flushedRecords(repo), 'lib/tax')).toEqual([])
})

test.for(HARMLESS)('%s: nothing is recorded where nobody watches', async ([, before, command]) => {
  await using repo = await victim()
  await shell(repo, before)
  await runAsAgent(repo, command)
  await runAsAgent(repo, ':')
  expect(told(await ledgerRecords(repo), 'lib/tax')).toEqual([])
})
