import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

const WORDS = `kotef: commit stopped, its hook script is damaged.
  Run \`npx kotef-watch init\`
`

const CUT = 'head -n 3 common.sh >cut; mv cut common.sh'

describe.each([
  ['an emptied bundle', ': >hook.cjs', WORDS],
  ['a bundle of garbage', 'echo "}{" >hook.cjs', WORDS],
  ['a pre-commit that is gone', 'rm pre-commit', expect.stringContaining(WORDS)],
  ['a bundle that is gone', 'rm hook.cjs', WORDS],
  ['an emptied program', ': >hook-program.cjs', WORDS],
  ['a program of garbage', 'echo "}{" >hook-program.cjs', WORDS],
  ['a program that is gone', 'rm hook-program.cjs', WORDS],
  ['an emptied common.sh', ': >common.sh', WORDS],
  ['a common.sh that is cut off', CUT, WORDS],
  ['an emptied pre-commit', ': >pre-commit', WORDS],
  ['an emptied commit-msg', 'rm compiled/active; : >commit-msg', WORDS],
  ['a common.sh of garbage', 'echo "}}" >common.sh', expect.stringContaining(WORDS)],
])('%s', (what, damage, words) => {
  const commit = (repo: Repo, env = {}) => repo.run('git', ['commit', '-qm', 'w'], { env })

  test('lets no commit through, and says how to go on: once without, or healed by what it names', async () => {
    await using repo = await copyGoverned(template())
    const path = what.includes('commit-msg') ? 'src/a.ts' : 'lib/x.ts'
    await repo.play(`echo x >>${path}; git add .; cd .git/kotef; ${damage}`)
    expect(await commit(repo)).toEqual({ code: 1, stdout: '', stderr: words })
    expect((await commit(repo, { KOTEF: '0' })).code).toBe(0)
    expect((await repo.kotef('init')).code).toBe(0)
    await repo.play('echo y >>lib/x.ts; git add lib')
    expect((await commit(repo)).stderr).toContain('lib/x.ts is outside intent INT-001')
    await repo.play('git read-tree HEAD; echo y >>src/a.ts; git add src')
    expect(await commit(repo)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await repo.git('log', '-1', '--format=%b')).toBe('Intent-ID: INT-001\n\n')
  })
})

test('prepare-commit-msg stays harmless, whatever it is', async () => {
  await using repo = await copyGoverned(template())
  for (const damage of [
    ': >hook.cjs; rm compiled/active',
    ': >common.sh',
    'echo "}}" >common.sh',
    ': >prepare-commit-msg',
  ]) {
    await repo.play(`cd .git/kotef; ${damage}; cd ../..; echo x >>src/a.ts; git add src`)
    expect(
      await repo.run('git', ['hook', 'run', 'prepare-commit-msg', '--', '.git/COMMIT_EDITMSG', 'message']),
    ).toMatchObject({ code: 0 })
  }
})
