import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'

const template = fixture(hookedRepo)

const REGISTRY = '.orchestration/active_intents.yaml'
const none = ''
const WIDEN = '`kotef intent edit INT-001 --add-scope lib/x.ts --commit`'

// What is staged, the paragraphs of the message, and the first problem's line; none when the commit goes through.
const verdicts: readonly (readonly [promise: string, commands: string, message: string, problem: string])[] = [
  ['create inside', 'echo x >src/new.ts', 'w', none],
  ['create outside', 'echo x >lib/new.ts', 'w', 'lib/new.ts is outside intent INT-001'],
  ['modify outside', 'echo x >>lib/x.ts', 'w', 'lib/x.ts is outside intent INT-001'],
  ['delete inside', 'rm src/b.ts', 'w', none],
  ['delete outside', 'rm lib/x.ts', 'w', 'lib/x.ts is outside intent INT-001'],
  ['rename inside', 'git mv src/a.ts src/z.ts', 'w', none],
  ['rename out of the scope', 'git mv src/a.ts lib/a.ts', 'w', 'lib/a.ts is outside intent INT-001'],
  ['rename into the scope', 'git mv lib/x.ts src/x.ts', 'w', 'lib/x.ts is outside intent INT-001'],
  ['mode change inside', 'chmod +x src/a.ts', 'w', none],
  ['mode change outside', 'chmod +x lib/x.ts', 'w', 'lib/x.ts is outside intent INT-001'],
  ['a symlink inside, wherever it leads', 'ln -s ../lib/x.ts src/link', 'w', none],
  ['a symlink outside', 'ln -s ../src/a.ts lib/link', 'w', 'lib/link is outside intent INT-001'],
  ['a binary file', "printf 'a\\0b' >src/bin", 'w', none],
  ['an empty file', ': >src/empty', 'w', none],
  ['a large file', 'head -c 2000000 /dev/zero >src/large', 'w', none],
  ['CRLF', "printf 'a\\r\\nb' >src/crlf", 'w', none],
  ['spaces, quotes and a newline in a path inside', 'echo x >\'src/a "b"\nc\'', 'w', none],
  ['a newline in a path outside', "echo x >'lib/a\nb'", 'w', '"lib/a\\nb" is outside intent INT-001'],
  ['UTF-8 in a path inside', 'echo x >src/ünï', 'w', none],
  ['a leading dash', 'echo x >./-f', 'w', '-f is outside intent INT-001'],
  ['a path that differs in case', 'mkdir SRC; echo x >SRC/a.ts', 'w', 'SRC/a.ts is outside intent INT-001'],
  [
    'another intent owns it, and the message cites this one',
    'echo x >>docs/b.md',
    'w\n\nIntent-ID: INT-001',
    'docs/b.md is outside intent INT-001; INT-002 owns it',
  ],
  ['another intent owns it, and the message says so', 'echo x >>docs/b.md', 'w\n\nIntent-ID: INT-002', none],
  [
    'the intent that is cited does not own it',
    'echo x >>src/a.ts',
    'w\n\nIntent-ID: INT-002',
    'src/a.ts is outside intent INT-002; INT-001 owns it',
  ],
  ['an intent that nobody has begun owns it', 'mkdir next; echo x >next/a', 'w', none],
  [
    'an unknown intent',
    'echo x >>src/a.ts',
    'w\n\nIntent-ID: INT-999',
    'the message cites INT-999, which is not in the registry',
  ],
  ['an intent that nobody has begun', 'mkdir next; echo x >next/a', 'w\n\nIntent-ID: INT-003', none],
  [
    'a completed intent',
    'echo x >>src/a.ts',
    'w\n\nIntent-ID: INT-004',
    'the message cites INT-004, which is COMPLETED',
  ],
  [
    'an abandoned intent',
    'echo x >>src/a.ts',
    'w\n\nIntent-ID: INT-005',
    'the message cites INT-005, which is ABANDONED',
  ],
  ['an id in prose is not cited', 'echo x >>src/a.ts', 'w\n\nabout Intent-ID: INT-999\nand more', none],
  [
    'the governance plane without a reason',
    'echo "# x" >>.orchestration/config.yaml',
    'w',
    '.orchestration/config.yaml is a governance file and belongs to no intent',
  ],
  ['the governance plane with a reason', 'echo "# x" >>.orchestration/config.yaml', 'w\n\nGovernance: why', none],
  [
    'the governance plane and work',
    'echo "# x" >>.intentignore; echo x >>src/a.ts',
    'w\n\nGovernance: why',
    ".intentignore is a governance file and can't be committed together with other work",
  ],
  [
    'a reason for work',
    'echo x >>src/a.ts',
    'w\n\nGovernance: why',
    'src/a.ts is not a governance file, and a commit with `Governance:` changes nothing else',
  ],
  ['the lessons ride along', 'echo x >>src/a.ts; echo x >>.orchestration/AGENT.md', 'w', none],
  ['a status rides along', `sed -i 's/PENDING/IN_PROGRESS/' ${REGISTRY}; echo x >>src/a.ts`, 'w', none],
  [
    'an illegal status does not',
    `sed -i 's/COMPLETED/PENDING/' ${REGISTRY}; echo x >>src/a.ts`,
    'w',
    `${REGISTRY} is a governance file and can't be committed together with other work`,
  ],
  [
    'a scope does not',
    `sed -i 's/"src/"lib/' ${REGISTRY}; echo x >>src/a.ts`,
    'w',
    `${REGISTRY} is a governance file and can't be committed together with other work`,
  ],
  [
    'an uncommitted scope widens nothing',
    `sed -i 's/"src/"lib/' ${REGISTRY}; git update-index --assume-unchanged ${REGISTRY}; echo x >>lib/x.ts`,
    'w',
    'lib/x.ts is outside intent INT-001',
  ],
]

describe('a commit', () => {
  test.concurrent.each(verdicts)('%s', async (_, commands, message, problem) => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', commands])
    await repo.git('add', '--all')
    const [index, status] = await both(repo)
    const { code, stderr } = await repo.run('git', ['commit', '-qF', '-'], { input: message })
    expect({ code, said: stderr.split('\n')[1] ?? '' }).toEqual({
      code: problem === none ? 0 : 1,
      said: problem === none ? '' : `  block  ${problem}`,
    })
    if (problem !== none) expect(await both(repo)).toEqual([index, status])
  })

  test('a refusal says what was stopped, each problem, and the way out', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', 'echo x >>lib/x.ts; echo x >>docs/b.md; git add -A'])
    const { stderr } = await repo.run('git', ['commit', '-qm', 'w'])
    expect(stderr).toBe(`kotef: commit stopped, 1 problem.
  block  lib/x.ts is outside intent INT-001
         Unstage it: \`git restore --staged lib/x.ts\`, or widen a scope: ${WIDEN}
`)
  })

  test('without any open intent it is refused, and told how to start one', async () => {
    const registry = 'active_intents:\n  - { id: INT-001, name: w, status: BLOCKED, owned_scope: ["src/**"] }\n'
    await using repo = await hookedRepo({ registry, start: null })
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    const { code, stderr } = await repo.run('git', ['commit', '-qam', 'w'])
    expect(code).toBe(1)
    expect(stderr).toContain('no intent is open')
    expect(stderr).toContain('`kotef intent start INT-001`')
  })

  test('without a session it is for the only open intent that owns it', async () => {
    await using repo = await hookedRepo({ start: null })
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    await repo.git('commit', '-qam', 'w')
    expect(await repo.git('log', '-1', '--format=%b')).toBe('Intent-ID: INT-001\n\n')
  })

  test('an empty scope owns nothing', async () => {
    const registry = 'active_intents:\n  - { id: INT-001, name: w, status: IN_PROGRESS }\n'
    await using repo = await hookedRepo({ registry })
    await repo.run('sh', ['-c', 'echo x >>src/a.ts'])
    const { stderr } = await repo.run('git', ['commit', '-qam', 'w'])
    expect(stderr).toContain('src/a.ts is outside intent INT-001')
  })

  test('KOTEF=0 skips the judgement, and the queue says so', async () => {
    await using repo = await copyGoverned(template())
    await repo.run('sh', ['-c', 'echo x >>lib/x.ts'])
    const { code } = await repo.run('git', ['commit', '-qam', 'w'], { env: { KOTEF: '0' } })
    expect(code).toBe(0)
    expect(await repo.read('.git/kotef/queue')).toMatch(/commit skipped\n$/)
  })
})

async function both(repo: Repo): Promise<[string, string]> {
  return [await repo.git('ls-files', '-s'), await repo.git('status', '--porcelain')]
}
