// Repositories for the tests of init and uninit, before and after: fresh, adopted, and what a folder holds.

import { execFileSync } from 'node:child_process'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { runCliOrThrow } from './hooked-repo.ts'
import { type Repo, temporaryRepo } from './repo.ts'
import type { ProgramResult } from './run-program.ts'

/** What a repository of the installation tests begins with: one file inside of the intent to come, one outside. */
const FILES = { 'src.ts': '', 'lib/x.ts': '' }

const GIT = execFileSync('git', ['version'], { encoding: 'utf8' })

/** True when the git of this machine runs hooks that its config names. */
export const GIT_RUNS_CONFIGURED_HOOKS = /^git version (2\.(5[4-9]|[6-9]\d|\d{3})|[3-9])/.test(GIT)

/** True when the git of this machine can keep refs in a reftable. */
export const GIT_HAS_REFTABLE = /^git version (2\.(4[5-9]|[5-9]\d|\d{3})|[3-9])/.test(GIT)

/** A repository that nobody has set up yet, with more files when they are given. */
export function freshRepo(more: Readonly<Record<string, string>> = {}): Promise<Repo> {
  return temporaryRepo({ ...FILES, ...more })
}

/** Sets kotef up in a repository: `kotef init` with these words, adopted, and INT-001 started. What init said. */
export async function initAndAdopt(repo: Repo, ...words: string[]): Promise<string> {
  const text = await runCliOrThrow(repo, 'init', '--yes', ...words)
  await adoptAndStart(repo)
  return text
}

/** Adopts kotef and starts INT-001, which owns `src.ts`. */
export async function adoptAndStart(repo: Repo): Promise<void> {
  await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-001', '--name', 'w', '--scope', 'src.ts')
  await repo.git('add', '--all')
  // None of the user's hooks have a part in this.
  const words = ['-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'adopt', '-m', 'Governance: adopt']
  await repo.run('git', words, { env: { KOTEF: '0' } })
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
}

/** A repository where INT-001 is in work and no hook calls kotef: to be copied, and set up in a test's own way. */
export async function adoptedRepo(): Promise<Repo> {
  const repo = await freshRepo()
  await initAndAdopt(repo)
  await runCliOrThrow(repo, 'uninit')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001')
  return repo
}

/** What becomes of two commits: one inside of the intent, which is kept, and one outside, which is undone. */
export type CommitVerdicts = { readonly inside: string; readonly outside: string }

/** The verdicts where kotef's hooks are in force. */
export const GOVERNED_VERDICTS: CommitVerdicts = {
  inside: 'Intent-ID: INT-001',
  outside: 'lib/x.ts is outside intent INT-001',
}

/** Makes the two commits. `command` runs a command line of a shell; without one, in the repository. */
export async function commitVerdicts(
  repo: Repo,
  command = (line: string): Promise<ProgramResult> => repo.run('sh', ['-c', line]),
): Promise<CommitVerdicts> {
  const inside = await command('echo x >>src.ts && git add src.ts && git commit -qm w && git log -1 --format=%b')
  const outside = await command('echo x >>lib/x.ts && git add lib && git commit -qm w')
  await command('git reset -q && git checkout -q lib')
  return {
    inside: inside.code === 0 ? inside.stdout.trim() : `refused: ${inside.stderr}`,
    outside: /\S+ is outside intent \S+/.exec(outside.stderr)?.[0] ?? `${outside.code} ${outside.stderr}`,
  }
}

/** What lies in a folder: each file's bytes and permissions, each link's target. Folders without files are in it. */
export async function folderContents(folder: string): Promise<Record<string, string>> {
  const contents: Record<string, string> = {}
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  for (const path of entries.sort()) contents[path] = await entryText(join(folder, path))
  return contents
}

async function entryText(path: string): Promise<string> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return `-> ${await readlink(path)}`
  const mode = (found.mode & 0o7777).toString(8)
  return found.isDirectory() ? 'folder' : `${mode} ${await readFile(path, 'latin1')}`
}
