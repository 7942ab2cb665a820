import { expect, test } from 'vitest'
import { repoWithHistory, runInCall, runInShell, watchedHistory } from '../../rig/agent-calls.ts'
import { claudeSession, ledgerRecords } from '../../rig/agent-hooks.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { flushedRecords, startWatching } from '../../rig/governed-repo.ts'
import { OWN_EXCLUDES } from '../../../src/core/base/governance-files.ts'
import { runCliOrThrow } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const watched = fixture(watchedHistory)

// Each is told once, and the command that `kotef status` prints puts it back.
const SETTINGS: readonly (readonly [command: string, reported: RegExp])[] = [
  ['git config core.fsmonitor "$PWD/src/x"', /^git's setting core\.fsmonitor/],
  ['git config core.hooksPath src', /^git's setting core\.hookspath/],
  ['git config hook.kotef-pre-commit.enabled false', /^git's setting hook\.kotef-pre-commit\.enabled is false/],
  ['git config hook.pre-commit.event update', /^git's setting hook\.pre-commit\.event/],
  ['git config diff.external src/x', /^git's setting diff\.external/],
  ['git config filter.x.clean "cat README"', /^git's setting filter\.x\.clean/],
  ['git config core.checkStat minimal', /^git's setting core\.checkstat is minimal/],
  ['echo "lib/*" >> .git/info/exclude', /info\/exclude has other lines/],
  ['echo "lib/* filter=x" >> .git/info/attributes', /info\/attributes has other lines/],
  ['git update-index --assume-unchanged lib/tax', /^lib\/tax is assume-unchanged in the index/],
  ['git update-index --skip-worktree lib/tax', /^lib\/tax is skip-worktree in the index/],
]

type Records = Awaited<ReturnType<typeof ledgerRecords>>

function reported(records: Records): string[] {
  return records.flatMap(({ metadata: { 'dev.kotef': it } }) =>
    it.event === 'violation' && it.rule === 'git-settings' ? [it.message] : [],
  )
}

async function standing(repo: Repo): Promise<string[]> {
  const { problems } = (await runCli(repo, 'status')).json as { problems: string[] }
  return problems.filter(it => it.includes('an agent may have changed'))
}

async function undo(repo: Repo): Promise<void> {
  const [, command = ''] = /`(.*)`$/s.exec((await standing(repo))[0] ?? '') ?? []
  await runInShell(repo, command)
}

test.for(SETTINGS)('%s by an agent is told under a daemon, and can be put back', async ([command, message]) => {
  const { repo, recordsOf } = watched()
  expect(reported(await recordsOf(command))).toEqual([expect.stringMatching(message)])
  expect(await standing(repo)).toEqual([expect.stringMatching(message)])
  const known = (await ledgerRecords(repo)).length
  await undo(repo)
  expect(reported((await flushedRecords(repo)).slice(known))).toEqual([])
  expect(await standing(repo)).toEqual([])
})

test.for(SETTINGS)('%s by an agent is told where nobody watches', async ([command, message]) => {
  await using repo = await repoWithHistory()
  await runInCall(repo, command)
  expect(reported(await ledgerRecords(repo))).toEqual([expect.stringMatching(message)])
  expect(await standing(repo)).toEqual([expect.stringMatching(message)])
  await undo(repo)
  await runInCall(repo, ':')
  expect(reported(await ledgerRecords(repo))).toHaveLength(1)
  expect(await standing(repo)).toEqual([])
})

test('a list that an agent changed is put back with its comments, byte for byte (look A0)', async () => {
  await using repo = await repoWithHistory()
  await repo.write('.git/info/exclude', `# mine\nscratch/\n\n# kotef's\n${OWN_EXCLUDES.join('\n')}\n# the end\n`)
  const before = await repo.read('.git/info/exclude')
  await using _daemon = await startWatching(repo)
  await flushedRecords(repo)
  await runInCall(repo, 'sed -i -e s/scratch/lib/ -e 1i\\src .git/info/exclude')
  expect(await standing(repo)).toHaveLength(1)
  await undo(repo)
  expect([await repo.read('.git/info/exclude'), await standing(repo)]).toEqual([before, []])
})

const BY_HAND = 'git config core.fsmonitor false; echo scratch/ >> .git/info/exclude; mkdir scratch; echo 1 > scratch/x'

test('what a person sets between the calls of an agent counts at once', async () => {
  const { repo, recordsOf } = watched()
  await recordsOf(':')
  const known = (await ledgerRecords(repo)).length
  await runInShell(repo, `${BY_HAND}; git update-index --skip-worktree lib/tax`)
  const records = (await flushedRecords(repo)).slice(known)
  expect([reported(records), records.filter(it => it.files.length > 0), await standing(repo)]).toEqual([[], [], []])
})

test('and so does what a person sets while no agent has a session', async () => {
  await using repo = await repoWithHistory()
  await using _daemon = await startWatching(repo)
  await runInShell(repo, BY_HAND)
  const records = await flushedRecords(repo)
  expect([reported(records), records.filter(it => it.files.length > 0), await standing(repo)]).toEqual([[], [], []])
})

test('a person may keep what an agent has set, once no agent has a session', async () => {
  await using repo = await repoWithHistory()
  await using _daemon = await startWatching(repo)
  await runInCall(repo, 'echo "lib/*" >> .git/info/exclude')
  await claudeSession(repo, 's-1').say('SessionEnd')
  await runCliOrThrow(repo, 'session', 'end', '--all')
  await flushedRecords(repo)
  expect(await standing(repo)).toHaveLength(1)
  await runInShell(repo, 'touch .git/info/exclude')
  await flushedRecords(repo)
  expect(await standing(repo)).toEqual([])
})

test('settings that hide nothing and run nothing are not told', async () => {
  const command = 'git config user.name x; git branch -q --track topic base; git config color.ui always'
  expect(reported(await watched().recordsOf(command))).toEqual([])
})

test('the doctor names a file that git does not look at', async () => {
  await using repo = await repoWithHistory()
  await runInShell(repo, 'git update-index --skip-worktree lib/tax')
  expect((await runCli(repo, 'doctor')).text).toContain('git does not show what is written to lib/tax (skip-worktree)')
})
