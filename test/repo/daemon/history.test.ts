import { expect, test } from 'vitest'
import { governedRepo, flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import { runCli } from '../../rig/command-line.ts'

type Reported = { readonly event: string; readonly commit?: string; readonly rule?: string; readonly path?: string }

/** Violations and skips that the ledger has, without the writes' own. */
async function reportedOfCommits(repo: Parameters<typeof flushedRecords>[0]): Promise<Reported[]> {
  const events = (await flushedRecords(repo)).map(it => it.metadata['dev.kotef'] as Reported)
  return events
    .filter(it => it.commit !== undefined)
    .map(({ event, commit, rule, path }) => ({ event, commit, rule, path }) as Reported)
}

test('a commit that fits leaves nothing to tell', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('src/a.ts', 'a\n')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'fine')
  expect(await reportedOfCommits(repo)).toEqual([])
})

test('what gets in by --no-verify is recorded as a violation, once', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.write('lib/x.ts', 'x\n')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '--no-verify', '-m', 'sneaked in')
  const commit = (await repo.git('rev-parse', 'HEAD')).trim()
  const violation = { event: 'violation', commit, rule: 'in-scope', path: 'lib/x.ts' }
  expect(await reportedOfCommits(repo)).toEqual([violation])
  await repo.write('src/a.ts', 'a\n')
  await repo.git('add', '--all')
  await repo.git('commit', '--quiet', '-m', 'fine')
  expect(await reportedOfCommits(repo)).toEqual([violation])
})

test('KOTEF=0 skips, and the ledger says later that it was skipped, also without a daemon', async () => {
  await using repo = await governedRepo()
  await repo.write('lib/x.ts', 'x\n')
  await repo.git('add', '--all')
  await repo.run('git', ['commit', '--quiet', '-m', 'skipped'], { env: { KOTEF: '0' } })
  await runCli(repo, 'trace')
  await using _daemon = await startWatching(repo)
  expect((await reportedOfCommits(repo)).map(it => [it.event, it.rule])).toEqual([
    ['skipped', undefined],
    ['violation', 'intent-named'],
  ])
})

test('a registry that only moved, an adoption and a governance commit break no rule', async () => {
  await using repo = await governedRepo()
  await using _daemon = await startWatching(repo)
  await repo.kotef('intent', 'block', 'INT-001')
  await repo.git('commit', '--quiet', '--all', '--no-verify', '-m', 'INT-001 rests', '-m', 'Intent-ID: INT-001')
  await repo.write('.intentignore', 'vendor/\n')
  await repo.git('commit', '--quiet', '--all', '--no-verify', '-m', 'policy', '-m', 'Governance: vendor is closed')
  expect(await reportedOfCommits(repo)).toEqual([])
})

const PLUMBING =
  'echo x >src/x; git add src/x; git update-ref HEAD $(git commit-tree -p HEAD -m "no intent" $(git write-tree))'

test('a commit by plumbing, which no hook tells of, is told as it comes', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const daemon = repo.start('kotef-watch')
  await using _daemon = daemon
  await daemon.line(/kotef is watching/)
  await repo.run('sh', ['-c', PLUMBING])
  await daemon.line(/violation +the message names no intent/)
})

test('where git keeps its refs in tables, a commit is told of as the tables change', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  // As a git with reftables lays it out: there are no logs, and this list changes with every ref.
  await repo.run('sh', ['-c', 'rm -r .git/logs; git config core.logAllRefUpdates false; mkdir .git/reftable'])
  const daemon = repo.start('kotef-watch')
  await using _daemon = daemon
  await daemon.line(/kotef is watching/)
  await repo.run('sh', ['-c', `${PLUMBING} && : >.git/reftable/tables.list`])
  await daemon.line(/violation +the message names no intent/)
})

test('what a rebase brings is told when the rebase is over', async () => {
  await using repo = await governedRepo({ 'src/a.ts': 'a\n' })
  const clash = `git switch -qc side; echo x >src/a.ts; git commit -qam x; git switch -q -; echo y >src/a.ts
    git commit -qam y; git switch -q side`
  await repo.run('sh', ['-c', clash])
  const daemon = repo.start('kotef-watch')
  await using _daemon = daemon
  await daemon.line(/kotef is watching/)
  await repo.run('sh', ['-c', 'git rebase -q -; echo z >src/a.ts; echo l >lib; git add -A; git rebase --continue'])
  // The write itself is flagged, or the commit where git took the file before anybody saw it.
  await daemon.line(/violation +lib is outside intent INT-001(?: \(commit [0-9a-f]{10}\))?$/)
})
