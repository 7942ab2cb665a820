import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

// Branch `w` is one stray commit further than main, which `origin` has as well.
const template = fixture(async () => {
  const template = await hookedRepo()
  await runCommands(
    template,
    `git init -q --bare ../there; git remote add origin ../there; git push -q --no-verify origin main
    git switch -qc w; echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-001')}`,
  )
  return template
})

const NONE = '0'.repeat(40)
const GONE = '1'.repeat(40)

/** What `kotef verify --ci` finds in a pipeline that is told of these commits, named by revisions. */
async function inPipeline(repo: Repo, report: (oids: { main: string; w: string }) => Record<string, string>) {
  const [main = '', w = ''] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  const { code, stdout } = await repo.run('kotef', ['verify', '--ci', '--json'], { env: report({ main, w }) })
  const { ranges, findings, error } = JSON.parse(stdout) as Printed
  if (error) return `exit ${code}: ${error.code}`
  return `exit ${code}: ${ranges.map(it => it.name).join()} ${findings.map(it => it.rule).join()}`
}

type Printed = { ranges: { name: string }[]; findings: { rule: string }[]; error?: { code: string } }

const github = async (repo: Repo, name: string, payload: object) => {
  const sha = (await repo.git('rev-parse', 'w')).trim()
  await repo.write('../event.json', JSON.stringify(payload))
  return { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: `${repo.base}/event.json`, GITHUB_SHA: sha }
}

test.each<[string, (oids: { main: string; w: string }) => [string, object], string]>([
  [
    'a pull request',
    ({ main, w }) => ['pull_request', { pull_request: { base: { sha: main }, head: { sha: w } } }],
    'exit 1: pull_request in-scope',
  ],
  ['a push', ({ main, w }) => ['push', { before: main, after: w }], 'exit 1: push in-scope'],
  [
    'a new branch',
    ({ w }) => ['push', { before: NONE, after: w, repository: { default_branch: 'main' } }],
    'exit 1: push in-scope',
  ],
  [
    'a branch pushed by force',
    ({ w }) => ['push', { before: GONE, after: w, repository: { default_branch: 'main' } }],
    'exit 1: push in-scope',
  ],
  [
    'a trunk pushed by force',
    ({ w }) => ['push', { before: GONE, after: w, ref: 'refs/heads/main', repository: { default_branch: 'main' } }],
    // Only the tip, because no branch has the commit before it.
    'exit 1: push in-scope',
  ],
  [
    'a merge queue',
    ({ main, w }) => ['merge_group', { merge_group: { base_sha: main, head_sha: w } }],
    'exit 1: merge_group in-scope',
  ],
  ['a timer (team A5)', () => ['schedule', {}], 'exit 0: schedule, which brings no commit '],
  ['a release', () => ['release', {}], 'exit 3: range-unknown'],
  ['a run for the same commit again (team A4)', ({ w }) => ['push', { before: w, after: w }], 'exit 0: push '],
])('in a pipeline of GitHub, %s', async (_, report, expected) => {
  await using repo = await copyGoverned(template())
  const [main = '', w = ''] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  const env = await github(repo, ...report({ main, w }))
  expect(await inPipeline(repo, () => env)).toBe(expected)
})

test.each<[string, (oids: { main: string; w: string }) => Record<string, string>, string]>([
  [
    'a merge request',
    ({ main, w }) => ({ CI_MERGE_REQUEST_DIFF_BASE_SHA: main, CI_COMMIT_SHA: w }),
    'exit 1: merge_request in-scope',
  ],
  [
    'a new branch',
    ({ w }) => ({ CI_COMMIT_BEFORE_SHA: NONE, CI_COMMIT_SHA: w, CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'w' }),
    'exit 1: push in-scope',
  ],
  [
    'a new branch that equals main (team A4)',
    ({ main }) => ({
      CI_COMMIT_BEFORE_SHA: NONE,
      CI_COMMIT_SHA: main,
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_BRANCH: 'x',
    }),
    'exit 0: push ',
  ],
  [
    'a timer on main (team A5)',
    ({ w }) => ({
      CI_COMMIT_BEFORE_SHA: NONE,
      CI_COMMIT_SHA: w,
      CI_DEFAULT_BRANCH: 'main',
      CI_COMMIT_BRANCH: 'main',
      CI_PIPELINE_SOURCE: 'schedule',
    }),
    'exit 0: schedule, which brings no commit ',
  ],
  ['nothing', () => ({}), 'exit 3: range-unknown'],
])('in a pipeline of GitLab, %s', async (_, report, expected) => {
  await using repo = await copyGoverned(template())
  expect(await inPipeline(repo, report)).toBe(expected)
})

test('a trunk pushed by force says what was judged in place of the push (team A5)', async () => {
  await using repo = await copyGoverned(template())
  const [, w = ''] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  const env = await github(repo, 'push', {
    before: GONE,
    after: w,
    ref: 'refs/heads/main',
    repository: { default_branch: 'main' },
  })
  const { stdout } = await repo.run('kotef', ['verify', '--ci'], { env })
  expect(stdout).toContain(
    `the commit before this push, ${GONE.slice(0, 10)}, is not in this clone: only the tip is judged`,
  )
})

test.each([
  ['the tip', 'main', 'w~1'],
  ['the commit before the range, and nothing would be judged', 'main', 'w'],
])('a clone of depth 1 asks for the history, whatever is missing (team A3): %s', async (_, base, head) => {
  await using repo = await copyGoverned(template())
  if (head === 'w~1') await runCommands(repo, 'echo x >>lib/x.ts; git commit -qanm on')
  await runCommands(repo, 'git clone -q --depth=1 "file://$PWD" ../shallow')
  const shaOf = async (revision: string) => ({ sha: (await repo.git('rev-parse', revision)).trim() })
  const env = await github(repo, 'pull_request', {
    pull_request: { base: await shaOf(base), head: await shaOf(head) },
  })
  const { code, stderr } = await repo.run('kotef', ['verify', '--ci'], { env, cwd: `${repo.base}/shallow` })
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('fetch-depth: 0') })
})

test('a pull request is judged against the tip that the forge merged it with (team S7)', async () => {
  await using repo = await copyGoverned(template())
  const [main = '', w = ''] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  await runCommands(
    repo,
    `git switch -q main; sed -i '/INT-001/s/IN_PROGRESS/COMPLETED/' .orchestration/active_intents.yaml
    git -c core.hooksPath=/dev/null commit -qam done -m 'Governance: done'
    git switch -q --detach; git -c core.hooksPath=/dev/null merge -q -m landing w; git tag landing`,
  )
  const env = await github(repo, 'pull_request', { pull_request: { base: { sha: main }, head: { sha: w } } })
  const GITHUB_SHA = (await repo.git('rev-parse', 'landing')).trim()
  const { stdout } = await repo.run('kotef', ['verify', '--ci'], { env: { ...env, GITHUB_SHA } })
  expect(stdout).toContain('INT-001 is COMPLETED at the target branch')
  expect((await repo.run('kotef', ['verify', '--ci'], { env })).stdout).not.toContain('INT-001 is COMPLETED')
})
