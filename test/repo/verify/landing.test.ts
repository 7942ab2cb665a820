import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CONFIG = '.orchestration/config.yaml'
const GOVERNS = 'Governance: why'
const FOR_1 = 'Intent-ID: INT-001'
const WORK = `echo a >>src/a.ts; ${bypass('work', FOR_1)}`
const onMain = (commands: string) => `git switch -q main; ${commands}; git switch -q w`

// On branch `w`, which is where main is.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(template, 'git config core.hooksPath /dev/null; git switch -qc w')
  return template
})

test('an intent that main completed meanwhile is said, because a squash would be refused (team S7)', async () => {
  await using repo = await copyGoverned(template())
  const done = `sed -i '/INT-001/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}; ${bypass('done', FOR_1)}`
  await runCommands(repo, `${WORK}; ${onMain(done)}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual([`review intent-open ${REGISTRY} in -`])
  const { stdout, code } = await repo.kotef('verify', 'main..w')
  const name = (await repo.git('rev-parse', 'main')).slice(0, 10)
  expect({ code, stdout }).toMatchObject({ code: 0 })
  expect(stdout).toContain(`INT-001 is COMPLETED at the target branch since ${name}: squashed or rebased onto it`)
})

test.each([
  ['a bot', `echo 'bots: [{ email: b@c, paths: ["lib/**"] }]' >>${CONFIG}`, "--author 'b <b@c>'", 'the message names'],
  [
    'an intent',
    `echo '  - { id: INT-009, name: n, owned_scope: ["lib/**"] }' >>${REGISTRY}`,
    "-m 'Intent-ID: INT-009'",
    'INT-009',
  ],
])('%s that main allows meanwhile is said, with the way to get it (team A9)', async (_, allow, words, message) => {
  await using repo = await copyGoverned(template())
  const bump = `echo 1 >>lib/x.ts; git commit -qam bump ${words}`
  const later = `echo '# more' >>${CONFIG}; ${bypass('more', GOVERNS)}`
  await runCommands(repo, `${bump}; ${onMain(`${allow}; ${bypass('allow', GOVERNS)}; ${later}`)}`)
  const { stdout, code } = await repo.kotef('verify', 'main..w')
  const [allowed, main] = (await repo.git('rev-parse', 'main~1', 'main')).split('\n').map(it => it.slice(0, 10))
  expect(code).toBe(1)
  expect(stdout).toContain(message)
  expect(stdout).toContain(`the target branch allows this since ${allowed}`)
  expect(await runCommands(repo, `git rebase -q ${main}`)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual([])
})

test('what main does not allow either stays as it is', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(
    repo,
    `echo 1 >>lib/x.ts; ${bypass('stray', FOR_1)}; ${onMain(`echo '#' >>${CONFIG}; ${bypass('c', GOVERNS)}`)}`,
  )
  expect((await repo.kotef('verify', 'main..w')).stdout).not.toContain('allows this')
})

test.each([
  ['a stray file', 'lib/x.ts', 'review in-scope lib/x.ts in stray'],
  ['what was forbidden', 'secret', 'block path-forbidden secret in stray'],
])('%s that the range takes back (team A16)', async (_, path, found) => {
  await using repo = await copyGoverned(template())
  const forbid = `printf '## Forbidden Paths\\n- secret\\n' >.sdd/KOTEF.md; ${bypass('forbid', GOVERNS)}
    git branch -f main w`
  const back = `git checkout -q main -- . ; git rm -qf --ignore-unmatch secret; ${bypass('back', FOR_1)}`
  await runCommands(repo, `${forbid}; echo x >>${path}; ${bypass('stray', FOR_1)}; ${back}`)
  expect(await verifyFindings(repo, 'main..w')).toContain(found)
  expect((await verifyFindings(repo, 'main..w~1')).filter(it => it.startsWith('block'))).toHaveLength(1)
})

test('a stray file that the range takes back, and that the target has since', async () => {
  await using repo = await copyGoverned(template())
  const stray = `echo x >lib/y.ts; ${bypass('stray', FOR_1)}`
  await runCommands(repo, `${stray}; git rm -q lib/y.ts; ${bypass('back', FOR_1)}; ${onMain(stray)}`)
  expect((await verifyFindings(repo, 'main..w')).filter(it => it.startsWith('block'))).toEqual([])
})

test('a release is judged commit by commit with --each (team S7)', async () => {
  await using repo = await copyGoverned(template())
  const reopen = `sed -i '/INT-004/s/COMPLETED/PENDING/' ${REGISTRY}; ${bypass('reopen', GOVERNS)}`
  await runCommands(repo, `${reopen}; echo c >>old/c; ${bypass('work', 'Intent-ID: INT-004')}`)
  expect(await verifyFindings(repo, 'main..w')).toContain('block policy-in-range - in work')
  expect(await verifyFindings(repo, '--each', 'main..w')).toEqual([`review governance-loosened ${REGISTRY} in reopen`])
  await runCommands(repo, `echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-004')}`)
  expect(await verifyFindings(repo, '--each', 'main..w')).toContain('block in-scope lib/x.ts in stray')
})

const NARROW = `sed -i '/INT-001/s,src/[*][*],src/a.ts,' ${REGISTRY}; ${bypass('narrow', GOVERNS)}`
const STRAY = `echo b >>src/b.ts; ${bypass('stray', FOR_1)}`
const MERGED = `git switch -q main; git merge -q --no-edit w`
const OTHER_POLICY = `printf '## Forbidden Paths\\n- src/a.ts\\n' >.sdd/KOTEF.md; ${bypass('forbid', GOVERNS)}`
const WIDER = `sed -i '/INT-001/s|"src|"next/n", "src|' ${REGISTRY}; ${bypass('wider', GOVERNS)}`
const NEW = `echo '  - { id: INT-009, name: n, status: IN_PROGRESS, owned_scope: ["new/**"] }' >>${REGISTRY}
  ${bypass('new', GOVERNS)}; mkdir new; echo n >new/n; ${bypass('fresh', 'Intent-ID: INT-009')}`
const CLOSE = `sed -i '/INT-001/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}; ${bypass('done', FOR_1)}`

// The work was made on the commit before main's newer policy. `was` is where main was before it got the work.
test.each<[what: string, onMain: string, onW: string, found: string[]]>([
  ['a scope that was narrowed', NARROW, STRAY, ['review policy-newer src/b.ts in stray']],
  ['a path that was forbidden', OTHER_POLICY, WORK, ['review policy-newer src/a.ts in work']],
  ['an intent that was completed', CLOSE, WORK, ['review policy-newer - in work']],
  ['work that the newer policy allows', NARROW, WORK, []],
  ['an intent of its own', OTHER_POLICY, NEW, ['review governance-changed R in new']],
  ['a policy that is no newer', `echo b >>docs/b.md; ${bypass('docs', 'Intent-ID: INT-002')}`, STRAY, []],
])('work on an older policy than the target has: %s', async (_, newer, work, found) => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${onMain(newer)}; git branch was main; ${work}; ${MERGED}`)
  expect(await verifyFindings(repo, 'was..main')).toEqual(found.map(it => it.replace(' R ', ` ${REGISTRY} `)))
  expect((await repo.kotef('verify', 'was..main')).code).toBe(0)
})

test('a branch that is not merged yet is told so as well, and of a closed intent once', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${onMain(`${NARROW}; ${CLOSE}`)}; ${STRAY}; ${WORK}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual([
    'review policy-newer src/b.ts in stray',
    `review intent-open ${REGISTRY} in -`,
    'review squash-refused src/b.ts in -',
  ])
})

const LANDS = (way: string) => `echo 'verify: { lands: ${way} }' >>${CONFIG}; ${bypass('lands', GOVERNS)}`

test.each([
  [
    'squash',
    ['review policy-newer src/b.ts in stray', `block intent-open R in -`, 'block squash-refused src/b.ts in -'],
  ],
  ['rebase', ['block policy-newer src/b.ts in stray', `block intent-open R in -`]],
  ['merge', ['review policy-newer src/b.ts in stray']],
])('where branches land by %s alone, what that refuses is no longer for review', async (way, found) => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${LANDS(way)}; git branch -f main w; ${onMain(`${NARROW}; ${CLOSE}`)}; ${STRAY}; ${WORK}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual(found.map(it => it.replace(' R ', ` ${REGISTRY} `)))
})

const LIFE = `echo '  - { id: INT-009, name: n, status: IN_PROGRESS, owned_scope: ["new/**"] }' >>${REGISTRY}
  ${bypass('add', GOVERNS)}; mkdir new; echo n >new/n; ${bypass('fresh', 'Intent-ID: INT-009')}
  sed -i '/INT-009/s/IN_PROGRESS/COMPLETED/' ${REGISTRY}; ${bypass('done', GOVERNS, 'Intent-ID: INT-009')}`
const BY_FORGE = (
  messages: string,
) => `git merge -q --squash w >../out; git -c core.hooksPath=/dev/null commit -qm 'Title (#7)' \
  -m "$(${messages})"`
const BULLETS = "git log --reverse --format='* %s%n%n%b' was..w"

test.each<[string, string, string[]]>([
  ['is added, worked for and completed (team T3)', LIFE, [`review governance-changed ${REGISTRY} in`]],
  ['is added and abandoned', LIFE.replace('COMPLETED', 'ABANDONED'), [`review governance-changed ${REGISTRY} in`]],
])(
  'an intent that one branch %s: the same before and after a merge, a squash, and a rebase',
  async (_, life, found) => {
    await using repo = await copyGoverned(template())
    await runCommands(repo, `git branch was; ${life}`)
    expect(await verifyFindings(repo, 'main..w')).toEqual(found.map(it => `${it} add`))
    const landings: [string, string[]][] = [
      ['git merge -q --no-edit w', found.map(it => `${it} add`)],
      ['git merge -q --no-ff --no-edit w', found.map(it => `${it} add`)],
      [BY_FORGE(BULLETS), found.map(it => `${it} Title (#7)`)],
    ]
    for (const [land, expected] of landings) {
      await runCommands(repo, `git switch -qC main was; ${land}`)
      expect([land, await verifyFindings(repo, 'was..main')]).toEqual([land, expected])
    }
  },
)

test('a squash with other content than its commits is judged by what it cites', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `git branch was; ${LIFE}; git switch -q main; ${BY_FORGE(BULLETS)}`)
  await runCommands(repo, `echo x >>lib/x.ts; git add -A; git -c core.hooksPath=/dev/null commit -q --amend --no-edit`)
  expect(await verifyFindings(repo, 'was..main')).toContain('block in-scope lib/x.ts in Title (#7)')
})

const BOTS = `echo 'bots: [{ email: b@c, paths: ["lib/**"] }]' >>${CONFIG}
  ${bypass('bots', GOVERNS)}; git branch -f main w`
const BUMP = "echo 1 >>lib/x.ts; git -c core.hooksPath=/dev/null commit -qam bump --author 'b <b@c>'"

test.each([
  ['the bot', "--author 'b <b@c>'", ''],
  ['the person', '', "-m 'Co-authored-by: b <b@c>'"],
])('a squash of a bot’s commit and a person’s, by %s (team T11)', async (_, author, trailer) => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${BOTS}; git branch was; ${BUMP}; ${WORK}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual([])
  await runCommands(repo, `git switch -q main; ${BY_FORGE(BULLETS)} ${trailer} ${author}`)
  expect(await verifyFindings(repo, 'was..main')).toEqual([])
  await runCommands(repo, `echo x >>docs/b.md; git -c core.hooksPath=/dev/null commit -qa --amend --no-edit`)
  expect(await verifyFindings(repo, 'was..main')).toEqual(['block in-scope docs/b.md in Title (#7)'])
})

test('a scope that the branch widens elsewhere stays narrowed', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${onMain(NARROW)}; ${WIDER}; mkdir next; echo n >next/n; ${STRAY}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual([
    `review governance-loosened ${REGISTRY} in wider`,
    'review policy-newer src/b.ts in stray',
  ])
})

test('a branch that merged the newer policy, and goes on, is judged by that alone', async () => {
  await using repo = await copyGoverned(template())
  await runCommands(repo, `${onMain(NARROW)}; git merge -q --no-edit main; ${STRAY}`)
  expect(await verifyFindings(repo, 'main..w')).toEqual(['block in-scope src/b.ts in stray'])
})
