import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { flushedWrites, startWatching } from '../rig/governed-repo.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'
import { selectOrThrow } from '../rig/selection.ts'
import { answeredClaude, CHECKED_REGISTRY, selectedRepo, times } from '../rig/session-runs.ts'

describe('a state of a run', () => {
  const path = '.git/kotef/runs'
  const fail = (repo: Repo, session: string) => answeredClaude(repo, session).runs('make', { exit: 1, output: 'no' })

  test('says nothing of files that nobody wrote: refusals are no progress', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    for (const it of ['lib/a.ts', 'lib/b.ts']) expect(await agent.writes(it, 'x\n')).toContain('scope-violation')
    await repo.kotef('runs', 'list')
    expect(JSON.parse(await repo.read(`${path}/s.json`))).toMatchObject({
      state: { progress: null, timeline: [], softViolations: [{ count: 1 }, { count: 1 }] },
    })
  })

  test('sees that its checks pass also when the clock was set back', async () => {
    await using repo = await selectedRepo()
    const agent = answeredClaude(repo)
    await agent.writes('src/done.ts', 'x\n')
    const later = new Date(Date.now() + 3_600_000)
    await utimes(join(repo.root, path, 's.json'), later, later)
    expect(await agent.runsKotef('check', 'INT-001')).toMatch(/^kotef: INT-001 is done/)
  })

  test('lists no file that was written after its session had ended', async () => {
    await using repo = await selectedRepo()
    await using _daemon = await startWatching(repo)
    const agent = answeredClaude(repo)
    await agent.writes('src/a.ts', 'x\n')
    await agent.say('SessionEnd')
    await repo.write('src/b.ts', 'x\n')
    expect(await flushedWrites(repo)).toHaveLength(2)
    expect(JSON.parse((await repo.kotef('runs', 'show', 's', '--json')).stdout)).toMatchObject({ files: ['src/a.ts'] })
  })

  test('of old runs the last fifty are kept', async () => {
    await using repo = await selectedRepo()
    const run = JSON.parse(await repo.read(`${path}/s.json`)) as { terms: object; state: object }
    for (let n = 0; n < 55; n++) {
      const old = { ...run, terms: { ...run.terms, session: `o${n}` }, state: { ...run.state, startedAt: n } }
      await repo.write(`${path}/o${n}.json`, JSON.stringify(old))
    }
    await repo.kotef('intent', 'add', '--id', 'INT-002', '--name', 'more', '--scope', 'lib/**')
    await selectOrThrow(repo, { session: 't', intent: 'INT-002' })
    const kept = (await readdir(join(repo.root, path))).filter(it => it.endsWith('.json'))
    expect([kept.length, kept.includes('o6.json'), kept.includes('o7.json'), kept.includes('s.json')]).toEqual([
      ...[50, false, true, true],
    ])
  })

  test('two sessions do not share counters', async () => {
    await using repo = await selectedRepo(
      `${CHECKED_REGISTRY}  - { id: INT-002, name: more, status: PENDING, owned_scope: ["lib/**"] }\n`,
    )
    await selectOrThrow(repo, { session: 't', intent: 'INT-002' })
    for (let n = 0; n < 3; n++) await fail(repo, 's')
    expect(await fail(repo, 't')).toBe('')
    expect(await fail(repo, 's')).toMatch(/stopped this run/)
  })

  test.each<[what: string, isSeen: boolean, damage: (repo: Repo, file: string) => Promise<unknown>]>([
    ['truncated', true, async (repo, file) => repo.write(file, (await repo.read(file)).slice(0, 100))],
    ['a folder', true, (repo, file) => repo.run('sh', ['-c', `rm ${file}; mkdir ${file}`])],
    [
      'of another version',
      true,
      async (repo, file) => repo.write(file, (await repo.read(file)).replace('"version":2', '"version":9')),
    ],
    [
      'with an end that is none',
      false,
      (repo, file) => repo.write(file.replace('.json', '.stopped'), '{"status":"done_success"'),
    ],
    ['gone', false, (repo, file) => repo.run('rm', [file])],
  ])('that is %s stops nobody, and says nothing is done', async (_, isSeen, damage) => {
    await using repo = await selectedRepo()
    for (let n = 0; n < 3; n++) await fail(repo, 's')
    const [name = ''] = (await readdir(join(repo.root, path))).filter(it => it.endsWith('.json'))
    await damage(repo, `${path}/${name}`)
    const agent = answeredClaude(repo)
    expect(await agent.writes('src/a.ts', 'x\n')).toBe('')
    expect(await agent.runsKotef('check', 'INT-001')).toBe('')
    const { code, stdout } = await repo.kotef('runs', 'list')
    expect([code, /^damaged {2}\/.*: nothing is counted.*\n.*`rm -r \/.*`$/m.test(stdout)]).toEqual([0, isSeen])
  })

  test('without runs by the config nothing is counted', async () => {
    await using repo = await hookedRepo({ registry: CHECKED_REGISTRY, start: null })
    await repo.write('.orchestration/config.yaml', 'version: 1\nruns: { profile: "off" }\n')
    await selectOrThrow(repo)
    const answers = await times(6, () => fail(repo, 's'))
    expect(answers).toEqual(['', '', '', '', '', ''])
  })
})
