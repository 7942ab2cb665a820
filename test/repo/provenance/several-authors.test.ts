import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadHasher } from '../../../src/world/io/files/hasher.ts'
import type { RecordDraft } from '../../../src/core/ledger/record.ts'
import { tracedRanges, tracedFile } from '../../../src/core/ledger/traced-file.ts'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { appendRecords } from '../../../src/world/ledger/append-records.ts'
import { startIntent } from '../../../src/world/lifecycle/start-intent.ts'
import { openWorkspace, type Workspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession, sendHook } from '../../rig/agent-hooks.ts'
import { governedRepo, startWatching, flushedWrites } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { oidOf } from '../../rig/tree.ts'

test('of two agents and a person in one file, each has its own lines, after a commit and an amendment', async () => {
  await using repo = await governedRepo({ 'src/a': 'first\nlast\n' })
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 'session-of-claude', { model: 'opus' })
  const other = (event: string) =>
    sendHook(repo, 'generic', {
      event,
      session: 'other',
      agent: 'robot',
      model: 'maker/robot',
      path: 'src/a',
      cwd: repo.root,
    })
  await claude.willWrite('src/a')
  await repo.write('src/a', 'first\nwhat claude has written\nlast\n')
  await claude.hasWritten('src/a')
  await other('write-start')
  await repo.write('src/a', 'first\nwhat claude has written\nwhat the robot has written\nlast\n')
  await other('write')
  await repo.write(
    'src/a',
    'what a person has written\nfirst\nwhat claude has written\nwhat the robot has written\nlast\n',
  )
  await flushedWrites(repo)
  await repo.git('commit', '-qam', 'all of it')
  await claude.willRun('sh')
  await repo.run('sh', ['-c', 'echo "what claude has a shell write" >> src/a'])
  await claude.hasRun('sh')
  await repo.git('commit', '-qa', '--amend', '--no-edit')
  expect(await whoIn(repo, repo.root)).toEqual([
    'human - -',
    'unknown - -',
    'ai anthropic/opus session-of-claude',
    'ai maker/robot other',
    'unknown - -',
    'ai anthropic/opus session-of-claude',
  ])
})

test('what an agent writes in a linked worktree is its own in the main one, when that worktree is gone', async () => {
  await using repo = await governedRepo({ 'src/a': 'first\n' })
  const linked = join(repo.base, 'linked')
  await repo.git('worktree', 'add', '-q', linked, '-b', 'linked')
  const there = await openWorkspace(linked)
  await startIntent(there, { intent: 'INT-001', agent: 'aider', model: 'maker/robot', steal: true })
  const daemon = repo.start('kotef-watch', [], { cwd: linked })
  await daemon.line(/kotef is watching/)
  await repo.write('../linked/src/a', 'first\nwhat an agent has written elsewhere\n')
  await repo.run('kotef', ['flush'], { cwd: linked })
  await repo.git('-C', linked, 'commit', '-qam', 'elsewhere')
  expect((await whoIn(repo, linked)).slice(1)).toEqual([expect.stringMatching(/^ai maker\/robot /)])
  await daemon[Symbol.asyncDispose]()
  await repo.git('worktree', 'remove', '--force', linked)
  await repo.git('merge', '-q', '--squash', 'linked')
  await repo.git('commit', '-qm', 'squashed')
  expect((await whoIn(repo, repo.root)).slice(1)).toEqual([expect.stringMatching(/^ai maker\/robot /)])
})

// The daemon leaves HEAD two seconds of rest.
const POLL = { interval: 200 }

test('a daemon notes a commit by itself, once HEAD has come to rest', async () => {
  await using repo = await governedRepo({ 'src/a': 'first\n' }, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  await repo.write('src/a', 'first\nan agent has written this line\n')
  await repo.git('commit', '-q', '--no-verify', '-a', '-m', 'noted')
  const note = async () => (await repo.run('git', ['notes', '--ref=kotef', 'show', 'HEAD'])).stdout
  await expect.poll(note, POLL).toMatch(/"start_line":2,"end_line":2.*"attribution":"declared"/)
})

test('a commit of another worktree has its author from the ledger there', async () => {
  await using repo = await governedRepo({ 'src/a': 'first\n' })
  const there = await committedElsewhere(repo)
  await appendRecords(there, [await writeOf('first\n', ELSEWHERE)])
  await annotateCommits(await openWorkspace(repo.root), { isWatched: true })
  expect(await repo.git('notes', '--ref=kotef', 'show', 'linked')).toContain('"model_id":"maker/robot"')
})

test('who watches another worktree does not have the last word on a commit', async () => {
  await using repo = await governedRepo({ 'src/a': 'first\n' })
  const there = await committedElsewhere(repo)
  await annotateCommits(await openWorkspace(repo.root), { isWatched: true })
  await appendRecords(there, [await writeOf('first\n', ELSEWHERE)])
  await annotateCommits(there, { isWatched: true })
  expect((await whoIn(repo, there.root))[1]).toBe('ai maker/robot late')
})

const ELSEWHERE = 'first\nan agent has written this line\n'

/** A linked worktree with a commit of which its ledger does not tell. */
async function committedElsewhere(repo: Repo): Promise<Workspace> {
  const linked = join(repo.base, 'linked')
  await repo.git('worktree', 'add', '-q', linked, '-b', 'linked')
  await repo.write('../linked/src/a', ELSEWHERE)
  await repo.git('-C', linked, 'commit', '-q', '--no-verify', '-a', '-m', 'elsewhere')
  return openWorkspace(linked)
}

/** The record of a write that put a second line below the first. */
async function writeOf(before: string, after: string): Promise<RecordDraft> {
  const ranges = tracedRanges(
    Buffer.from(after),
    [{ line: 2, lines: 0, addedLine: 2, addedLines: 1 }],
    await loadHasher(),
  )
  const change = { op: 'modify', before: oidOf(before), after: oidOf(after), removed: [] } as const
  const credit = { contributor: { type: 'ai', model_id: 'maker/robot' }, session: 'late', intent: 'INT-001' } as const
  const event = { event: 'write', attribution: 'claimed', source: 'daemon' } as const
  return { event, files: [tracedFile('src/a', change, { ranges, credit })] }
}

/** Of each line of `src/a`: the kind of author, the model and the session. */
async function whoIn({ base }: Repo, root: string): Promise<string[]> {
  const workspace = await openWorkspace(join(base, root.slice(base.length)))
  await annotateCommits(workspace, { isWatched: false })
  const lines = await blamePath(workspace, { path: 'src/a', revision: null })
  return lines.map(({ author: { contributor, session } }) =>
    [contributor.type, contributor.model_id ?? '-', contributor.type === 'ai' ? session : '-'].join(' '),
  )
}
