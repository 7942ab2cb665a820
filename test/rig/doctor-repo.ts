// What `kotef doctor` prints, snapshots of a worktree to compare before and after, and a repository with husky.

import { join } from 'node:path'
import { copyGoverned, runInit } from './hooked-repo.ts'
import { type Repo, temporaryRepo } from './repo.ts'

/** Runs shell commands in a repository, each of which must succeed. */
export async function runShell(repo: Repo, commands: string): Promise<void> {
  const { code, stderr } = await repo.run('sh', ['-ec', commands])
  if (code !== 0) throw new Error(`${commands} ended with ${code}:\n${stderr}`)
}

/** The lines of a doctor's report that begin with a word, with `<repo>` in place of the path. */
export function doctorLines(repo: Repo, kind: 'wrong' | 'note', text: string): string[] {
  const lines = text.replaceAll(repo.root, '<repo>').split('\n')
  return lines.filter(it => it.startsWith(kind))
}

/** Every name with its mode and time, and every content: whoever wrote or removed anything is seen. */
export async function worktreeSnapshot(repo: Repo): Promise<string> {
  // Git itself touches a shared index whenever anybody reads it, so of that only the content counts.
  const names = "find . ! -name 'sharedindex.*' -printf '%p %y %m %T@ %l\\n' | sort"
  return (await repo.run('sh', ['-c', `${names}; find . -type f -exec sha1sum {} + | sort -k 2`])).stdout
}

/** An adopted repository under husky, whose own pre-commit writes into a file beside the worktree. */
export async function huskyRepo(): Promise<Repo> {
  model ??= makeModel()
  return copyGoverned(await model)
}

// Made once a worker, and copied.
let model: Promise<Repo> | undefined

async function makeModel(): Promise<Repo> {
  const repo = await temporaryRepo({ 'lib/x.ts': '', '.husky/pre-commit': 'echo mine >>../ran\n' })
  await repo.run(process.execPath, [join(import.meta.dirname, '../../node_modules/husky/bin.js')])
  await runInit(repo)
  await runShell(repo, 'git add --all; HUSKY=0 git commit -qm adopt -m "Governance: adopt"')
  return repo
}
