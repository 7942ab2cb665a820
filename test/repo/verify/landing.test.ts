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

test('a release is judged commit by commit with --each (team S7)', async () => {
  await using repo = await copyGoverned(template())
  const reopen = `sed -i '/INT-004/s/COMPLETED/PENDING/' ${REGISTRY}; ${bypass('reopen', GOVERNS)}`
  await runCommands(repo, `${reopen}; echo c >>old/c; ${bypass('work', 'Intent-ID: INT-004')}`)
  expect(await verifyFindings(repo, 'main..w')).toContain('block policy-in-range - in work')
  expect(await verifyFindings(repo, '--each', 'main..w')).toEqual([`review governance-loosened ${REGISTRY} in reopen`])
  await runCommands(repo, `echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-004')}`)
  expect(await verifyFindings(repo, '--each', 'main..w')).toContain('block in-scope lib/x.ts in stray')
})
