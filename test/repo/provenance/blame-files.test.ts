import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { blameFiles } from '../../../src/world/provenance/blame-files.ts'
import { openFilteredHistory } from '../../../src/world/io/git/filtered-history.ts'
import { startBlame } from '../../../src/world/io/git/start-blame.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { governedRepo } from '../../rig/governed-repo.ts'
import { recordAgentWrite } from '../../rig/recorded-write.ts'
import type { Repo } from '../../rig/repo.ts'

const numbered = (word: string, count: number) => Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join('')

test('the lines of many files are those that blame finds for each file, with and without notes', async () => {
  await using repo = await manyKindsOfHistory()
  const workspace = await openWorkspace(repo.root)
  const shares: number[] = []
  const before = await bothWays(workspace, share => shares.push(share))
  expect(before.together).toEqual(before.alone)
  expect(shares).toHaveLength(before.alone.length)
  expect(shares.at(-1)).toBe(1)
  await annotateCommits(workspace, { isWatched: true })
  const { together, alone } = await bothWays(workspace)
  expect(together).toEqual(alone)
  const lines = together.flatMap(it => it.lines)
  expect(new Set(lines.map(it => it.author.intent))).toEqual(new Set([null, 'INT-001']))
  expect(new Set(lines.map(it => it.how))).toEqual(new Set(['note', 'none']))
  expect(lines.filter(it => it.author.contributor.type === 'ai').length).toBeGreaterThan(0)
  expect(together.find(it => it.path === 'src/gone')?.lines).toEqual([])
})

test('of many files, git reads the history by filters that it leaves nowhere, and finds the same commits', async () => {
  await using repo = await manyKindsOfHistory()
  const workspace = await openWorkspace(repo.root)
  const head = (await repo.git('rev-parse', 'HEAD')).trim()
  const stored = () => repo.git('count-objects', '-v')
  const before = await stored()
  const graphOf = async ({ git }: Pick<Workspace, 'git'>) =>
    resolve(repo.root, String(await git.bytes(['rev-parse', '--git-path', 'objects/info/commit-graph'])).trim())
  const filtered = await openFilteredHistory(workspace, { head, files: 16 })
  const graph = await graphOf(filtered)
  expect((await readFile(graph)).includes('BDAT')).toBe(true)
  for (const path of (await repo.git('ls-files', 'src')).trim().split('\n')) {
    const blame = (of: Pick<Workspace, 'git'>) =>
      startBlame(of.git, { file: join(repo.root, path), revision: head, ranges: [] })
    expect(await blame(filtered), path).toEqual(await blame(workspace))
  }
  await filtered[Symbol.asyncDispose]()
  expect([existsSync(graph), existsSync(await graphOf(workspace))]).toEqual([false, false])
  expect(await stored()).toBe(before)
  await using few = await openFilteredHistory(workspace, { head, files: 15 })
  expect(few.git).toBe(workspace.git)
  await repo.git('config', 'remote.origin.promisor', 'true')
  await using partial = await openFilteredHistory(workspace, { head, files: 16 })
  expect(partial.git).toBe(workspace.git)
})

test.each(['SIGINT', 'SIGTERM'] as const)('a command that %s ends while it blames leaves no folder', async signal => {
  const texts = Array.from({ length: 16 }, (_, n) => [`src/${n}.ts`, 'export {}\n'] as const)
  await using repo = await governedRepo(Object.fromEntries(texts))
  const { PATH = '' } = repo.env()
  const git = `#!/bin/sh
PATH='${PATH}'
case "$*" in *' blame '*) echo blames >${repo.base}/blames; exec sleep 60 ;; esac
exec git "$@"
`
  await repo.write('../first/git', git, 0o755)
  await repo.play(`mkdir ../scratch; mkfifo ../blames
    for it in src/*; do echo more >>$it; done; git commit -qnam work -m 'Intent-ID: INT-001'`)
  const env = { PATH: `${repo.base}/first:${PATH}`, TMPDIR: `${repo.base}/scratch` }
  const held = async () => (await repo.play('ls ../scratch')).stdout
  await using map = repo.start('kotef', ['map'], { env })
  await using waiting = repo.start('cat', ['../blames'])
  await waiting.line(/blames/)
  expect(await held()).toMatch(/^kotef-/)
  map.signal(signal)
  expect((await map.ended).signal).toBe(signal)
  expect(await held()).toBe('')
})

async function bothWays(workspace: Workspace, progress: (share: number) => void = () => {}) {
  const revision = await workspace.git.ask({ args: ['rev-parse', 'HEAD'], parse: out => out.trim() })
  const files = await workspace.git.ask({
    args: ['ls-files', 'src', '.orchestration/active_intents.yaml'],
    parse: out => out.trim().split('\n'),
  })
  const paths = [...files, 'src/gone']
  const together = []
  for await (const it of blameFiles(workspace, { paths, revision, progress })) together.push(it)
  const alone = []
  for (const path of paths) alone.push({ path, lines: await blamePath(workspace, { path, revision }).catch(() => []) })
  return { together, alone }
}

/** A rename with an edit, a merge that changes lines itself, a deletion, a file moved together from two, an agent's. */
async function manyKindsOfHistory(): Promise<Repo> {
  const texts = { 'src/a': numbered('first', 9), 'src/gone': 'old\n', 'src/two': numbered('two', 9) }
  const repo = await governedRepo({ ...texts, 'src/agent': 'old\n' })
  const written = { before: 'old\n', added: numbered('a line of an agent', 5) }
  await repo.write('src/agent', written.before + written.added)
  await recordAgentWrite(repo, 'src/agent', written)
  await repo.play(`git add src; git commit -qnm agent -m 'Intent-ID: INT-001'
    git switch -qc side; git mv src/a src/b; sed -i 's/first 3/changed on the side/' src/b
    git commit -qnam side -m 'Intent-ID: INT-001'
    git switch -q main; sed -i 's/two 2/changed on main/' src/two; sed -i 's/first 8/also on main/' src/a
    git rm -q src/gone; git commit -qnam main
    git merge -q --no-commit side; sed -i 's/two 7/changed by the merge/' src/two; git commit -qnam merge
    cat src/two >>src/b; git rm -qf src/two; git commit -qnam moved -m 'Intent-ID: INT-001' -m 'Intent-ID: INT-002'
    sed -i 's/agent 1$/a person/' src/agent; git commit -qnam person`)
  return repo
}
