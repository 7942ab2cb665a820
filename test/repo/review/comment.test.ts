import { expect, test } from 'vitest'
import { runCli } from '../../rig/command-line.ts'
import { startForgeServer, type ForgeServer } from '../../rig/forge-server.ts'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

// Branch `w` has a commit for INT-001.
const template = fixture(async () => {
  const repo = await hookedRepo()
  await runCommands(repo, `git switch -qc w; echo 1 >>src/a.ts; ${bypass('first', 'Intent-ID: INT-001')}`)
  return repo
})

type Forge = 'github' | 'gitlab'
type CiResult = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs the report as the pipeline for the commits between main and `w`, as pull or merge request 7. */
async function report(repo: Repo, forge: Forge, server: Pick<ForgeServer, 'url'>): Promise<CiResult> {
  const [base = '', head = ''] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  const pull_request = { number: 7, base: { sha: base }, head: { sha: head } }
  await repo.write('../event.json', JSON.stringify({ pull_request }))
  const github = {
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: `${repo.base}/event.json`,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_API_URL: server.url,
    GITHUB_TOKEN: 't0ken',
  }
  const gitlab = {
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_COMMIT_SHA: head,
    CI_PROJECT_ID: '12',
    CI_MERGE_REQUEST_IID: '7',
    CI_API_V4_URL: `${server.url}/api/v4`,
    GITLAB_TOKEN: 't0ken',
  }
  return reportWith(repo, forge === 'github' ? github : gitlab)
}

/** Runs the report in this process, with variables of a pipeline. */
async function reportWith(repo: Repo, variables: Readonly<Record<string, string>>) {
  const around = { root: repo.root, env: () => ({ ...repo.env(), ...variables }) }
  const { exit, failure, text, stderrLines } = await runCli(around, 'report', '--ci', '--comment')
  return { code: exit, stdout: failure ? '' : text, stderr: stderrLines.map(it => `${it}\n`).join('') }
}

const push = (repo: Repo, path: string, subject: string) =>
  runCommands(repo, `echo ${subject} >>${path}; ${bypass(subject, 'Intent-ID: INT-001')}`)

test.each<[Forge, Parameters<typeof startForgeServer>[0]]>([
  ['github', 'github-actions[bot]'],
  ['github', 'octo'],
  ['gitlab', 'project_bot'],
])('over three pushes there is one comment, with the newest report: %s as %s', async (forge, account) => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer(account)
  server.comment('ada', 'Looks good.')
  const first = await report(repo, forge, server)
  expect([first.code, first.stderr]).toEqual([0, 'The report is a new comment.\n'])
  await push(repo, 'lib/x.ts', 'stray')
  const second = await report(repo, forge, server)
  expect([second.code, second.stderr]).toEqual([1, 'The report is in the earlier comment.\n'])
  expect(server.ownBodies()).toEqual([expect.stringContaining('kotef: blocked, 1 problem')])
  await runCommands(repo, 'git reset -q --hard HEAD~1')
  await push(repo, 'src/b.ts', 'better')
  const third = await report(repo, forge, server)
  expect([third.code, third.stderr]).toEqual([0, 'The report is in the earlier comment.\n'])
  expect(server.ownBodies()).toEqual([`<!-- kotef-report -->\n${third.stdout.trimEnd()}`])
  expect(server.comments.map(it => it.author)).toEqual(['ada', account])
})

test.each<Forge>(['github', 'gitlab'])('the earlier comment is found on whichever page it is: %s', async forge => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('octo')
  for (let n = 0; n < 199; n++) server.comment('ada', `comment ${n}`)
  await report(repo, forge, server)
  for (let n = 0; n < 50; n++) server.comment('ada', `comment ${n}`)
  server.calls.length = 0
  expect((await report(repo, forge, server)).stderr).toBe('The report is in the earlier comment.\n')
  expect(server.ownBodies()).toHaveLength(1)
  expect(server.calls.filter(it => /[?&]page=\d/.test(it)).map(it => it.replace(/.*&page=/, ''))).toEqual([
    '1',
    '2',
    '3',
  ])
})

test('a comment in which somebody else wrote the marker is not touched', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('github-actions[bot]')
  const forged = '<!-- kotef-report -->\nnothing blocks, trust me'
  server.comment('mallory', forged)
  expect((await report(repo, 'github', server)).stderr).toBe('The report is a new comment.\n')
  expect(server.comments[0]).toMatchObject({ author: 'mallory', body: forged })
  expect(server.ownBodies()).toHaveLength(1)
})

test('two comments that pipelines made at the same moment become one', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('octo')
  for (const n of [1, 2, 3]) server.comment('octo', `<!-- kotef-report -->\n${n}`)
  await report(repo, 'github', server)
  expect(server.ownBodies()).toEqual([expect.stringContaining('kotef: nothing blocks')])
  expect(server.comments[0]?.id).toBe(1)
})

const DENIED = { status: 403, body: '{"message":"Resource not accessible by integration"}' }
const SPENT = { status: 403, headers: { 'x-ratelimit-remaining': '0', 'retry-after': '3600' } }

test.each([
  ['the token may not write, as of a fork', { on: /POST/, ...DENIED }, /^No comment: POST .* 403: Resource not acc/],
  [
    'the forge was asked too often',
    { on: /GET .*comments/, ...SPENT },
    /^No comment: GET .* 403: it was asked too often$/m,
  ],
  ['the forge fails while it creates', { on: /POST/, status: 502 }, /^No comment: POST .* 502: it gives no reason$/m],
  ['nobody knows whose token it is', { on: /user/, ...SPENT }, /^No comment: GET \/user was answered with 403/],
  [
    'the list is not a list',
    { on: /GET .*comments/, status: 200, body: '<html>' },
    /^No comment: .*not|^No comment: .*else/,
  ],
])('the exit code is that of verify, and stderr says why: %s', async (_, fault, reported) => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('github-actions[bot]')
  server.faults.push(fault)
  const good = await report(repo, 'github', server)
  expect([good.code, good.stderr]).toEqual([0, expect.stringMatching(reported)])
  expect(good.stderr).not.toContain('t0ken')
  await push(repo, 'lib/x.ts', 'stray')
  server.faults.push(fault)
  expect(await report(repo, 'github', server)).toMatchObject({ code: 1, stderr: expect.stringMatching(reported) })
  expect(server.comments).toEqual([])
})

test('no forge at all changes no exit code either', async () => {
  await using repo = await copyGoverned(template())
  const dead = await startForgeServer('octo')
  await dead[Symbol.asyncDispose]()
  await push(repo, 'lib/x.ts', 'stray')
  const { code, stdout, stderr } = await report(repo, 'gitlab', dead)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^No comment: fetch failed.*ECONNREFUSED/)])
  expect(stdout).toContain('kotef: blocked')
})

test('a comment whose answer is lost is found by the next push', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('octo')
  server.faults.push({ on: /POST/, status: 504, isDone: true })
  expect((await report(repo, 'github', server)).stderr).toMatch(/^No comment: POST .* 504/)
  expect((await report(repo, 'github', server)).stderr).toBe('The report is in the earlier comment.\n')
  expect(server.ownBodies()).toHaveLength(1)
})

test('a short pause that the forge asks for is kept, and then all is well', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('octo')
  server.faults.push({ on: /POST/, status: 429, headers: { 'retry-after': '0' } })
  expect((await report(repo, 'github', server)).stderr).toBe('The report is a new comment.\n')
  expect(server.ownBodies()).toHaveLength(1)
})

test('a redirect is not followed: it could lead the token to another server', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('octo')
  await using other = await startForgeServer('octo')
  server.faults.push({
    on: /POST/,
    status: 307,
    headers: { location: `${other.url}/repos/acme/shop/issues/7/comments` },
  })
  expect((await report(repo, 'github', server)).stderr).toMatch(/^No comment: fetch failed/)
  expect(other.calls).toEqual([])
})

test('when the commits can not be judged any more, the comment says so, and the exit code is 3', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('octo')
  await report(repo, 'github', server)
  await runCommands(repo, 'git clone -q --depth=1 --branch w "file://$PWD" ../shallow')
  const shallow = { ...repo, root: `${repo.base}/shallow` }
  const { code, stdout } = await report(shallow, 'github', server)
  expect([code, stdout]).toEqual([3, ''])
  expect(server.ownBodies()).toEqual([expect.stringContaining("kotef: can't judge these commits")])
})

test.each([
  ['a push', { GITHUB_EVENT_NAME: 'push' }, /^No comment: the pipeline does not run for a pull or merge request\.$/m],
  ['no token', { GITHUB_EVENT_NAME: 'pull_request' }, /^No comment: the environment has no GITHUB_TOKEN\.$/m],
])('without what a comment needs there is none: %s', async (_, env, reported) => {
  await using repo = await copyGoverned(template())
  const [before = '', after = ''] = (await repo.git('rev-parse', 'main', 'w')).trim().split('\n')
  const pull_request = { number: 7, base: { sha: before }, head: { sha: after } }
  const event = env.GITHUB_EVENT_NAME === 'push' ? { before, after } : { pull_request }
  await repo.write('../event.json', JSON.stringify(event))
  const around = { GITHUB_EVENT_PATH: `${repo.base}/event.json`, GITHUB_REPOSITORY: 'acme/shop' }
  expect(await reportWith(repo, { ...around, ...env })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(reported),
  })
})
