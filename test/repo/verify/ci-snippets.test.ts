import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { installPackages } from '../../rig/npm-packages.ts'
import { packedKotef, repositoryRoot } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'
import { fixture } from '../../rig/fixture.ts'
import { bypass } from '../../rig/verify-findings.ts'

const PAGE = readFileSync(join(repositoryRoot, 'docs/verify.md'), 'utf8')
const SNIPPETS = [...PAGE.matchAll(/^ *(?:run:|-) (npx .*)$/gm)].map(it => it[1] ?? '')

// Branch `w` is one stray commit further than main; the package is installed as `npm ci` would.
const template = fixture(async () => {
  const repo = await hookedRepo()
  await runCommands(repo, `git switch -qc w; echo x >>lib/x.ts; ${bypass('stray', 'Intent-ID: INT-001')}`)
  installPackages(join(repo.base, 'installed'), packedKotef().tarball)
  await runCommands(repo, 'mv ../installed/node_modules .')
  return repo
})

/** The environment of each forge's pipeline for the commits between two revisions. npm may not ask a registry. */
async function pipelines(repo: Repo, from: string, to: string): Promise<Record<string, string>[]> {
  const [before = '', after = ''] = (await repo.git('rev-parse', from, to)).trim().split('\n')
  await repo.write('../event.json', JSON.stringify({ before, after }))
  const offline = { npm_config_offline: 'true' }
  return [
    { ...offline, GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: join(repo.base, 'event.json') },
    { ...offline, GITLAB_CI: 'true', CI_COMMIT_BEFORE_SHA: before, CI_COMMIT_SHA: after, CI_COMMIT_BRANCH: 'w' },
  ]
}

test('the page has a snippet for GitHub and one for GitLab, each with the version of this package', () => {
  const { version } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { version: string }
  expect(SNIPPETS).toEqual([
    `npx --yes kotef-watch@${version} verify --ci --format github`,
    `npx --yes kotef-watch@${version} verify --ci`,
  ])
})

test.each([0, 1])('the snippet of docs/verify.md runs as it stands (team B1): %s', async n => {
  await using repo = await copyGoverned(template())
  const run = async (from: string, to: string) =>
    repo.run('sh', ['-c', SNIPPETS[n] ?? ''], { env: (await pipelines(repo, from, to))[n] ?? {} })
  const [good, bad] = [await run('main~1', 'main'), await run('main', 'w')]
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('judged') as string })
  expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining('lib/x.ts is outside intent') as string })
})

test('the step that fetches the notes brings them, and is fine where there are none', async () => {
  const [, fetch = ''] = /^ *run: (git fetch .*)$/m.exec(PAGE) ?? []
  await using repo = await copyGoverned(template())
  await runCommands(repo, 'git clone -q --bare . ../r.git; git remote add origin ../r.git')
  expect(await repo.run('sh', ['-ec', fetch])).toMatchObject({ code: 0, stdout: 'No notes to fetch.\n' })
  await runCommands(repo, 'git -C ../r.git -c user.name=a -c user.email=a@b notes --ref kotef add -m x main')
  expect(await repo.run('sh', ['-ec', fetch])).toMatchObject({ code: 0, stdout: '' })
  expect(await repo.git('notes', '--ref', 'kotef', 'show', 'main')).toBe('x\n')
})

test('kotef-watch with a verb is kotef with that verb; without one it watches (team B1)', async () => {
  await using repo = await copyGoverned(template())
  const outputs = async (...words: string[]) => (await repo.run('kotef-watch', words)).stdout
  expect(await outputs('scope', 'src/a.ts')).toContain('INT-001')
  expect(await outputs('--version')).toMatch(/^\d+\.\d+\.\d+$/m)
  expect(await outputs('--help')).toContain('--detach')
})
