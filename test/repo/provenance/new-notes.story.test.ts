import { join } from 'node:path'
import { expect, test } from 'vitest'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Repo } from '../../rig/repo.ts'

const OLD = 'the first line of all\n'
const ONE = 'one line of an agent\ntwo lines of an agent\n'
const OTHER = 'lines of an agent elsewhere\nand their end\n'

test('authors that notes from elsewhere know are found, however the notes came (team S2)', async () => {
  await using repo = await governedRepo({ 'src/a': OLD })
  const bob = await cloned(repo)
  await recordAgentWrite(repo, 'src/a', { before: OLD, added: ONE })
  await runIn(repo, repo.root, `git switch -qc work; printf '${OLD}${ONE}' >src/a; git commit -qam work --no-verify`)
  await annotate(repo.root)
  await runIn(repo, bob, 'git fetch -q origin; git merge -q --squash origin/work; git commit -qm squash --no-verify')
  expect(await annotate(bob)).toBe(false)
  expect(await typesIn(bob)).toEqual(['unknown', 'unknown', 'unknown'])
  await runIn(repo, bob, 'git fetch -q origin refs/notes/kotef:refs/notes/kotef')
  expect(await annotate(bob)).toBe(true)
  expect(await typesIn(bob)).toEqual(['unknown', 'ai', 'ai'])
  expect(await annotate(bob)).toBe(false)
})

test('what two clones find from notes alone, they note in the same words (team T10)', async () => {
  await using repo = await governedRepo({ 'src/a': OLD })
  const bob = await cloned(repo)
  await recordAgentWrite(repo, 'src/a', { before: OLD, added: ONE })
  await runIn(repo, repo.root, `git switch -qc work; printf '${OLD}${ONE}' >src/a; git commit -qam work --no-verify`)
  await annotate(repo.root)
  await runIn(repo, bob, 'git fetch -q origin refs/notes/kotef:refs/notes/kotef')
  await runIn(repo, bob, 'git fetch -q origin; git merge -q --squash origin/work; git commit -qm squash --no-verify')
  // The third clone has nothing but the squash and the notes.
  await runIn(repo, repo.root, 'git clone -q ../bob ../carol; cd ../carol; kotef init --yes --hooks git')
  const carol = join(repo.base, 'carol')
  await runIn(repo, carol, 'git fetch -q origin refs/notes/kotef:refs/notes/kotef')
  const notes: string[] = []
  for (const clone of [bob, carol]) {
    expect(await annotate(clone)).toBe(true)
    notes.push((await repo.run('git', ['notes', '--ref=kotef', 'show'], { cwd: clone })).stdout)
  }
  expect(notes[1]).toBe(notes[0])
  expect(JSON.parse(notes[0] ?? '')).toMatchObject({ metadata: { 'dev.kotef': { head: null } } })
})

test('a commit whose authors nobody knows has no note, and is not looked at again (team S2)', async () => {
  await using repo = await governedRepo({ 'src/a': OLD })
  await repo.git('commit', '--allow-empty', '-qm', 'later', '--no-verify')
  expect(await annotate(repo.root)).toBe(false)
  expect((await repo.git('for-each-ref', 'refs/notes')).trim()).toBe('')
  const { workspace, asked } = countingWorkspace(await openWorkspace(repo.root))
  await annotateCommits(workspace, { isWatched: false })
  expect(asked).toEqual(['show-ref', 'rev-parse'])
  // Nor is it looked for in the history, when its lines are blamed.
  await blamePath(workspace, { path: 'src/a', revision: null })
  expect(asked).not.toContain('--literal-pathspecs')
})

test('of two clones that know the authors of different lines, each adds what it knows (team S2)', async () => {
  await using repo = await governedRepo({ 'src/a': OLD })
  const bob = await cloned(repo)
  await repo.write('src/a', `${OLD}${ONE}${OTHER}`)
  await repo.git('commit', '-qam', 'of both', '--no-verify')
  await recordAgentWrite(repo, 'src/a', { before: OLD, added: ONE })
  await annotate(repo.root)
  expect(await typesIn(repo.root)).toEqual(['unknown', 'ai', 'ai', 'unknown', 'unknown'])
  await recordAgentWrite({ root: bob }, 'src/a', { before: OLD, added: OTHER })
  await runIn(repo, bob, 'git pull -q; git fetch -q origin refs/notes/kotef:refs/notes/kotef')
  await annotate(bob)
  expect(await typesIn(bob)).toEqual(['unknown', 'ai', 'ai', 'ai', 'ai'])
})

test('a watched clone does not read again what is older than its ledger', async () => {
  await using repo = await governedRepo({ 'src/a': OLD })
  const bob = await cloned(repo)
  await annotate(bob)
  await recordAgentWrite({ root: bob }, 'src/a', { before: OLD, added: ONE })
  await runIn(repo, bob, `printf '${OLD}${ONE}' >src/a; git commit -qam work --no-verify`)
  const { workspace, given } = countingWorkspace(await openWorkspace(bob))
  expect(await annotateCommits(workspace, { isWatched: true })).toBe(true)
  const history = (await repo.run('git', ['rev-list', 'HEAD'], { cwd: bob })).stdout.trim().split('\n')
  expect(history.length).toBeGreaterThan(2)
  const read = given.filter(it => /^[0-9a-f]{40}\n/.test(it)).flatMap(it => it.trim().split('\n'))
  // The first record of the ledger may be about the commit that it was made on.
  expect([...new Set(read)].sort()).toEqual(history.slice(0, 2).sort())
})

test('where many commits are looked at, a question says so', async () => {
  await using repo = await governedRepo({ 'src/a': OLD })
  const commit = 'commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 0\n'
  const history = `${commit}from refs/heads/main^0\n\n${`${commit}\n`.repeat(1_000)}`
  await repo.run('git', ['fast-import', '--quiet'], { input: history })
  const asked = await repo.run('kotef', ['blame', 'src/a'])
  expect(asked).toMatchObject({ code: 0, stderr: expect.stringMatching(/of 100\d commits\. This takes a moment\./) })
  expect((await repo.run('kotef', ['blame', 'src/a'])).stderr).toBe('')
})

/** A clone with kotef, without the notes. */
async function cloned(repo: Repo): Promise<string> {
  const clone = join(repo.base, 'bob')
  await runIn(repo, repo.root, `git clone -q . ../bob; cd ../bob; kotef init --yes --hooks git`)
  return clone
}

async function runIn(repo: Repo, cwd: string, commands: string): Promise<void> {
  expect(await repo.run('sh', ['-ec', commands], { cwd })).toMatchObject({ code: 0 })
}

async function annotate(root: string): Promise<boolean> {
  return annotateCommits(await openWorkspace(root), { isWatched: false })
}

async function typesIn(root: string): Promise<string[]> {
  const lines = await blamePath(await openWorkspace(root), { path: 'src/a', revision: null })
  return lines.map(it => it.author.contributor.type)
}

type Counting = { readonly workspace: Workspace; readonly asked: string[]; readonly given: string[] }

/** The workspace, the names of the git commands that are run in it, and what they are given to read. */
function countingWorkspace({ git, ...places }: Workspace): Counting {
  const asked: string[] = []
  const given: string[] = []
  const noted = (args: readonly string[]): void => void asked.push(args[0] ?? '')
  const workspace = {
    ...places,
    git: {
      ask: query => (noted(query.args), git.ask(query)),
      tryAsk: query => (noted(query.args), git.tryAsk(query)),
      bytes: args => (noted(args), git.bytes(args)),
      streamWithInput: (args, it) => (noted(args), given.push(String(it.input)), git.streamWithInput(args, it)),
    },
  } satisfies Workspace
  return { workspace, asked, given }
}
