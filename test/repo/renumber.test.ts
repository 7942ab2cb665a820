import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { flushedWrites, startWatching } from '../rig/governed-repo.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../rig/hooked-repo.ts'
import { judgeNewHistory, runCommands } from '../rig/judged-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { bypass, verifyFindings } from '../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const LOG = ['log', '--format=%T %an %ad %cn %cd %s', 'main..']

/**
 * Two branches have an INT-006: `main` a Streaming, and `cookies` a Cookies with two commits, a merge and a session, on
 * which somebody works. A remote has the adoption.
 */
const template = fixture(async () => {
  const repo = await hookedRepo({ start: null })
  await runCommands(repo, 'git init -q --bare .git/there; git remote add there .git/there; git push -q there main')
  const line = '  - { id: INT-006, name: Streaming, owned_scope: ["stream/**"] }'
  await runCommands(repo, `git switch -qc cookies; git switch -q main; echo '${line}' >>${REGISTRY}`)
  await runCommands(repo, `${bypass('streaming', 'Governance: add streaming')}; git switch -q cookies`)
  await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-006', '--name', 'Cookies', '--scope', 'cookie/**', '--commit')
  await runCliOrThrow(repo, 'intent', 'start', 'INT-006')
  await runCommands(repo, 'mkdir cookie; echo 1 >cookie/a; git add -A; git commit -qm one')
  await runCommands(repo, `git switch -qc side HEAD~1; echo 2 >>src/a.ts; ${bypass('side', 'Intent-ID: INT-001')}`)
  await runCommands(repo, 'git switch -q cookies; git merge -q --no-edit side; git branch -D side')
  await runCommands(repo, 'echo 2 >>cookie/a; git commit -qam two')
  await judgeNewHistory(repo)
  return repo
})

async function citations(repo: Repo): Promise<string[]> {
  const out = await repo.git(
    'log',
    '--reverse',
    '--format=%s: %(trailers:key=Intent-ID,valueonly,separator=%x20)',
    'main..',
  )
  return out.trim().split('\n')
}

const RENUMBERED = 'INT-006 is INT-007 now: Cookies; 2 commits and 1 commit after them made again with its trailer'

describe('kotef intent renumber', () => {
  test('settles an id with two meanings by the line that the refused merge prints (solo A4, team B4)', async () => {
    await using repo = await copyGoverned(template())
    const { stderr } = await repo.play('git merge --no-edit main')
    expect(stderr).toContain('INT-006 has two meanings')
    expect(stderr).toContain('kotef intent renumber INT-006 --commit')
    await repo.play('git merge --abort; git update-ref -d ORIG_HEAD')
    expect((await repo.play('kotef intent renumber INT-006 --commit')).stdout).toBe(
      `${RENUMBERED}; 1 session moved to it
  Committed the registry: renumber INT-006 to INT-007
  Undo it with \`git reset --keep ORIG_HEAD && kotef intent start INT-006\`
`,
    )
    expect(await runCommands(repo, 'git merge -q --no-edit main')).toMatchObject({ code: 0 })
    expect((await runCli(repo, 'intent', 'list')).text).toMatch(/\* INT-007 .*Cookies\n {2}INT-006 .*Streaming/)
    expect((await verifyFindings(repo, 'main..cookies')).filter(it => !it.startsWith('review'))).toEqual([])
  })

  test('changes messages and nothing else: trees, authors, dates and the merge stay', async () => {
    await using repo = await copyGoverned(template())
    const [before, tip] = [await repo.git(...LOG), await repo.git('rev-parse', 'cookies')]
    await runCliOrThrow(repo, 'intent', 'renumber', 'INT-006')
    expect(await repo.git(...LOG)).toBe(before)
    expect(await citations(repo)).toContain('two: INT-007')
    expect((await citations(repo)).toSorted()).toEqual(
      [
        'add INT-006: ',
        "Merge branch 'side' into cookies: ",
        'one: INT-007',
        'side: INT-001',
        'two: INT-007',
      ].toSorted(),
    )
    expect(await repo.git('rev-parse', 'ORIG_HEAD')).toBe(tip)
    expect(await repo.git('reflog', '-1', '--format=%gs')).toBe('kotef: renumber INT-006 to INT-007\n')
    expect((await repo.git('rev-list', '--merges', '--count', 'main..')).trim()).toBe('1')
    expect(await judgeNewHistory(repo)).toEqual([])
  })

  test('the session, its claim and the branch go on under the new id', async () => {
    await using repo = await copyGoverned(template())
    const { json } = await runCli(repo, 'intent', 'renumber', 'INT-006', 'INT-020', '--commit')
    expect(json).toMatchObject({ intent: { id: 'INT-020' }, from: 'INT-006', sessions: [expect.any(String)] })
    expect(await repo.git('for-each-ref', '--format=%(refname)', 'refs/kotef/claims')).toBe(
      'refs/kotef/claims/INT-020\n',
    )
    await runCommands(repo, 'echo 3 >>cookie/a; git commit -qam three')
    expect((await citations(repo)).at(-1)).toBe('three: INT-020')
    await runCliOrThrow(repo, 'session', 'end', '--all')
    await runCommands(repo, 'echo 4 >>cookie/a; git commit -qam four')
    expect((await citations(repo)).at(-1)).toBe('four: INT-020')
  })

  test('the notes of the commits go with them', async () => {
    await using repo = await copyGoverned(template())
    {
      await using _daemon = await startWatching(repo)
      await repo.write('cookie/b', '1\n')
      await flushedWrites(repo)
    }
    await runCommands(repo, 'git add -A; git commit -qm three')
    await repo.kotef('finalise')
    const noted = async () => (await repo.git('notes', '--ref=kotef', 'show', 'HEAD')).replaceAll('INT-006', 'INT-007')
    const [before] = [JSON.parse((await noted()).trim()) as Record<string, unknown>]
    await runCliOrThrow(repo, 'intent', 'renumber', 'INT-006')
    const after = JSON.parse((await noted()).trim()) as Record<string, unknown>
    expect(after['files']).toEqual(before['files'])
    expect(after['vcs']).toEqual({ type: 'git', revision: (await repo.git('rev-parse', 'HEAD')).trim() })
    expect((await repo.kotef('blame', 'cookie/b')).stdout).toContain('INT-007')
    expect((await repo.kotef('trace', 'verify')).code).toBe(0)
  })

  test('--range names the commits, and what depends on the intent follows', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'intent', 'add', '--id', 'INT-009', '--name', 'next', '--depends-on', 'INT-006')
    await runCliOrThrow(repo, 'intent', 'renumber', 'INT-006', '--range', 'HEAD~1..')
    expect((await citations(repo)).filter(it => it.includes('INT'))).toEqual([
      'add INT-006: ',
      'one: INT-006',
      'side: INT-001',
      'two: INT-010',
    ])
    expect(await repo.read(REGISTRY)).toMatch(/depends_on:\n +- INT-010/)
  })

  test('a branch that was pushed is made again, and replaced there by the line that it prints (team T4)', async () => {
    await using repo = await copyGoverned(template())
    await repo.play('git push -q there main; git push -q --no-verify -u there cookies')
    const { stdout, code } = await repo.kotef('intent', 'renumber', 'INT-006', '--commit')
    expect(code).toBe(0)
    const [, push = ''] = /replace it there with `(.*)`/.exec(stdout) ?? []
    expect(push).toBe('git push --force-with-lease there cookies')
    expect(await runCommands(repo, push)).toMatchObject({ code: 0 })
    expect(await repo.git('rev-parse', 'there/cookies')).toBe(await repo.git('rev-parse', 'cookies'))
    expect((await runCli(repo, 'show', 'INT-007')).text).toContain('two')
    await runCommands(repo, 'git merge -q --no-edit main')
    expect((await verifyFindings(repo, 'main..cookies')).filter(it => !it.startsWith('review'))).toEqual([])
    await runCommands(repo, 'git switch -q main; git merge -q --squash cookies; git commit -q --no-edit')
    expect((await verifyFindings(repo, 'main~1..main')).filter(it => !it.startsWith('review'))).toEqual([])
    expect((await repo.kotef('blame', 'cookie/a')).stdout).toContain('INT-007')
  })

  test('what it prints undoes it', async () => {
    await using repo = await copyGoverned(template())
    await runCliOrThrow(repo, 'intent', 'split', '--commit')
    const state = async () => [
      await repo.git('log', '--format=%H', '-3'),
      await repo.git('status', '--porcelain'),
      await repo.git('for-each-ref', '--format=%(refname)', 'refs/kotef/claims'),
    ]
    const before = await state()
    for (const words of [['--commit'], []]) {
      const { stdout } = await repo.kotef('intent', 'renumber', 'INT-006', ...words)
      const [, undo = ''] = /Undo it with `(.*)`/.exec(stdout) ?? []
      expect(await state()).not.toEqual(before)
      expect(await runCommands(repo, undo)).toMatchObject({ code: 0 })
      expect(await state()).toEqual(before)
    }
  })

  test.each([
    ['an unknown intent', '', ['INT-099'], 'There is no intent INT-099'],
    ['a taken id', '', ['INT-006', 'INT-001'], 'INT-001 is an intent already'],
    [
      'an id that another branch has',
      'git branch -m main other',
      ['INT-001', 'INT-006'],
      'INT-006 is an intent already',
    ],
    ['an id that is none', '', ['INT-006', 'cookies'], 'expected an id such as INT-001'],
    [
      'commits of the default branch, which others have',
      'git push -q --no-verify there cookies:main; git switch -q --detach; git branch -qf main; git switch -q main',
      ['INT-006'],
      'cites INT-006 and is on another branch of a remote, or on its default branch, and 1 more commit',
    ],
    [
      'commits on which another branch of a remote builds',
      'git push -q --no-verify there cookies cookies:next',
      ['INT-006'],
      'cites INT-006 and is on another branch of a remote',
    ],
    ['commits that are elsewhere', '', ['INT-006', '--range', 'nowhere..'], 'nowhere.. is not a range of commits'],
    ['a merge in progress', 'git merge -q main', ['INT-006'], 'Git is in the middle'],
    [
      'a rebase in progress',
      'GIT_SEQUENCE_EDITOR="sed -i s/pick/edit/" git rebase -q -i HEAD~1',
      ['INT-006'],
      'Git is in the middle',
    ],
  ])('refuses %s, and changes nothing', async (_, commands, words, message) => {
    await using repo = await copyGoverned(template())
    await repo.play(commands)
    const state = async () => [await repo.git('rev-parse', 'HEAD'), await repo.git('status', '--porcelain')]
    const before = await state()
    const { failure } = await runCli(repo, 'intent', 'renumber', ...words)
    expect(failure?.message).toContain(message)
    expect(await state()).toEqual(before)
  })
})
