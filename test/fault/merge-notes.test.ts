import { expect, test } from 'vitest'
import { disk } from '../../src/world/io/files/files.ts'
import { syncNotes } from '../../src/world/provenance/sync-notes.ts'
import { openWorkspace, type Workspace } from '../../src/world/io/worktree/workspace.ts'
import { brittleFiles } from '../rig/brittle-files.ts'
import { brittleGit } from '../rig/brittle-git.ts'
import { temporaryRepo, type Repo } from '../rig/repo.ts'

// Both have a note on the first commit, of which each has a line of its own; the others have a note here or there.
const OURS = ['shared', 'of-us-first', 'of-us-second']
const THEIRS = ['shared', 'of-them-first', 'of-them-third']
const UNION = [...new Set([...OURS, ...THEIRS])].sort()

type Breaking = (healthy: Workspace, failing: number) => { workspace: Workspace; hasFailed: () => boolean }
const damages: Readonly<Record<string, Breaking>> = {
  'call of git, before git did anything,': (healthy, failing) => withGit(healthy, { failing, late: false }),
  'call of git, after git did everything,': (healthy, failing) => withGit(healthy, { failing, late: true }),
  'call of the disk': (healthy, failing) => {
    const files = brittleFiles(disk, { failing })
    return { workspace: { ...healthy, files }, hasFailed: files.hasFailed }
  },
}

test.each(Object.entries(damages))(
  'whichever %s fails in a merge of notes, none is lost, and another try has all of both (team S4)',
  async (_, breaking) => {
    await using repo = await notedOnBothSides()
    const healthy = await openWorkspace(repo.root)
    for (let failing = 1; ; failing++) {
      await runIn(repo, RESET)
      const { workspace, hasFailed } = breaking(healthy, failing)
      await syncNotes(workspace, 'origin').catch(() => null)
      expect([failing, await missing(repo, '.', OURS), await missing(repo, '../origin.git', THEIRS)]).toEqual([
        failing,
        [],
        [],
      ])
      await syncNotes(healthy, 'origin')
      expect([failing, await linesIn(repo, '.'), await linesIn(repo, '../origin.git')]).toEqual([failing, UNION, UNION])
      if (!hasFailed()) return
    }
  },
)

function withGit(healthy: Workspace, how: { failing: number; late: boolean }): ReturnType<Breaking> {
  const git = brittleGit(healthy.git, how)
  return { workspace: { ...healthy, git }, hasFailed: git.hasFailed }
}

// The notes of both sides, as they were at first, have names of their own.
const RESET = `git update-ref refs/notes/kotef refs/was/ours
  git -C ../origin.git update-ref refs/notes/kotef refs/was/theirs
  git for-each-ref --format='delete %(refname)' refs/kotef | git update-ref --stdin`

async function notedOnBothSides(): Promise<Repo> {
  const repo = await temporaryRepo({ a: 'a\n' })
  await runIn(
    repo,
    `git commit -q --allow-empty -m second; git commit -q --allow-empty -m third
    git init -q --bare ../origin.git; git remote add origin ../origin.git; git push -q origin main; mkdir .git/kotef
    note() { printf "$2" | git notes --ref=$1 add -F - $3; }
    note ours 'shared\\nof-us-first\\n' HEAD~2; note ours of-us-second HEAD~1
    note theirs 'shared\\nof-them-first\\n' HEAD~2; note theirs of-them-third HEAD
    git update-ref refs/was/ours refs/notes/ours; git push -q origin refs/notes/theirs:refs/was/theirs`,
  )
  return repo
}

/** The lines of all notes in a repository. */
async function linesIn(repo: Repo, folder: string): Promise<string[]> {
  const show = 'for c in $(git rev-list main); do git notes --ref=kotef show $c 2>/dev/null || :; done'
  const said = await runIn(repo, `cd ${folder}; ${show}`)
  return said
    .split('\n')
    .filter(it => it !== '')
    .sort()
}

async function missing(repo: Repo, folder: string, wanted: readonly string[]): Promise<string[]> {
  const found = await linesIn(repo, folder)
  return wanted.filter(it => !found.includes(it))
}

async function runIn(repo: Repo, commands: string): Promise<string> {
  const { code, stdout, stderr } = await repo.run('sh', ['-ec', commands])
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}
