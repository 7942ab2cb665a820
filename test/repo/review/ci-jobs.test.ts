import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fixture } from '../../rig/fixture.ts'
import { type ForgeServer, startForgeServer } from '../../rig/forge-server.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { installPackages } from '../../rig/npm-packages.ts'
import { packedKotef, repositoryRoot } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }
const PAGE = read('docs/report.md')

type Action = {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: { readonly steps: readonly { uses?: string; run?: string; env?: Readonly<Record<string, string>> }[] }
}
const ACTION = parse(read('.github/actions/kotef/action.yml')) as Action
const JOB = parse(/### GitLab\n\n```yaml\n([^]*?)```/.exec(PAGE)?.[1] ?? '') as { kotef: { script: string[] } }

// Branch `w` has a commit for INT-001, and `stray` one more outside of it; the package is installed as `npm ci` would.
const template = fixture(async () => {
  const repo = await hookedRepo()
  await runCommands(
    repo,
    `git switch -qc w; echo 1 >>src/a.ts; ${bypass('first', 'Intent-ID: INT-001')}
    git switch -qc stray; echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-001')}
    git clone -q --bare . ../r.git; git remote add origin ../r.git`,
  )
  installPackages(join(repo.base, 'installed'), packedKotef().tarball)
  await runCommands(repo, 'mv ../installed/node_modules .')
  return repo
})

const pullRequest = async (repo: Repo, head: string) => {
  const [base = '', tip = ''] = (await repo.git('rev-parse', 'main', head)).trim().split('\n')
  return { base, tip, event: { pull_request: { number: 7, base: { sha: base }, head: { sha: tip } } } }
}

/** Runs the steps of the action as GitHub does, for the pull request of a branch. */
async function runAction(repo: Repo, { url }: Pick<ForgeServer, 'url'>, head: string, comment = 'true') {
  await repo.write('../event.json', JSON.stringify((await pullRequest(repo, head)).event))
  for (const name of ['summary', 'output']) await repo.write(`../${name}`, '')
  const env = {
    ...{ npm_config_offline: 'true', GITHUB_EVENT_NAME: 'pull_request', GITHUB_REPOSITORY: 'acme/shop' },
    ...{ GITHUB_API_URL: url, GITHUB_EVENT_PATH: `${repo.base}/event.json` },
    ...{ GITHUB_STEP_SUMMARY: `${repo.base}/summary`, GITHUB_OUTPUT: `${repo.base}/output` },
  }
  const inputs: Record<string, string> = { version: ACTION.inputs['version']?.default ?? '', comment, token: 't0ken' }
  const filled = (text: string) => text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => inputs[name] ?? '')
  let [code, stdout] = [0, '']
  for (const step of ACTION.runs.steps.filter(it => it.run !== undefined)) {
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([key, it]) => [key, filled(it)]))
    const ran = await repo.run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], {
      env: { ...env, ...own },
    })
    ;[code, stdout] = [ran.code ?? -1, stdout + ran.stdout]
  }
  return { code, stdout, summary: await repo.read('../summary'), output: await repo.read('../output') }
}

test('the action has the version of this package, checks nothing out, and puts no input into a script', () => {
  expect(ACTION.inputs['version']?.default).toBe(version)
  expect(ACTION.runs.steps.map(it => it.uses).filter(it => it !== undefined)).toEqual(['actions/setup-node@v4'])
  expect(ACTION.runs.steps.map(it => it.run ?? '').join('\n')).not.toContain('${{')
})

test('the action annotates, writes the summary and keeps the comment, and ends as verify does', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('github-actions[bot]')
  const good = await runAction(repo, server, 'w')
  expect(good).toMatchObject({
    code: 0,
    summary: expect.stringContaining('kotef: nothing blocks'),
    output: 'verdict=0\n',
  })
  const bad = await runAction(repo, server, 'stray')
  expect(bad).toMatchObject({ code: 1, summary: expect.stringContaining('kotef: blocked'), output: 'verdict=1\n' })
  expect(bad.stdout).toMatch(/^::error file=lib\/x\.ts,title=kotef%3A in-scope::/m)
  expect(server.ownBodies()).toEqual([`<!-- kotef-report -->\n${bad.summary.trimEnd()}`])
})

test('the action makes no comment where it is not wanted, and a forge that refuses it changes nothing', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('github-actions[bot]')
  expect(await runAction(repo, server, 'w', 'false')).toMatchObject({ code: 0, output: 'verdict=0\n' })
  expect(server.calls).toEqual([])
  server.faults.push({ on: /POST/, status: 403, body: '{"message":"Resource not accessible by integration"}' })
  const refused = await runAction(repo, server, 'stray')
  expect(refused).toMatchObject({ code: 1, summary: expect.stringContaining('kotef: blocked'), output: 'verdict=1\n' })
  expect(server.comments).toEqual([])
})

test('the job for GitLab on docs/report.md runs as it stands, with the version of this package', async () => {
  await using repo = await copyGoverned(template())
  await using server = await startForgeServer('project_bot')
  expect(JOB.kotef.script.at(-1)).toContain(`kotef-watch@${version} report --ci --comment`)
  const run = async (head: string) => {
    const { base, tip } = await pullRequest(repo, head)
    const env = {
      ...{ npm_config_offline: 'true', CI_MERGE_REQUEST_DIFF_BASE_SHA: base, CI_COMMIT_SHA: tip, CI_PROJECT_ID: '12' },
      ...{ CI_MERGE_REQUEST_IID: '7', CI_API_V4_URL: `${server.url}/api/v4`, GITLAB_TOKEN: 't0ken' },
    }
    return (await repo.run('sh', ['-ec', JOB.kotef.script.join('\n')], { env })).code
  }
  expect([await run('w'), await run('stray')]).toEqual([0, 1])
  expect(server.ownBodies()).toEqual([`<!-- kotef-report -->\n${(await repo.read('report.md')).trimEnd()}`])
})
