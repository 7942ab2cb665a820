import { afterAll, beforeAll, expect, test } from 'vitest'
import { askGate, bashTool, bindSession, useTool } from '../../rig/agent-gate.ts'
import type { Repo } from '../../rig/repo.ts'
import { unselectedRepo } from '../../rig/selection.ts'

let repo: Repo

beforeAll(async () => {
  repo = await unselectedRepo()
  // What is opaque is asked about, so that an answer shows it.
  await repo.write('.orchestration/config.yaml', 'opaque_commands: ask\n')
  await repo.git('config', 'core.hooksPath', '/dev/null')
  await repo.play(`git init -q --bare src/evil; git init -q src/plain; git remote add origin https://example.org/x.git
    git remote add ssh git@example.org:x.git; git remote add far /srv/git/x.git
    git remote add outside ${'../'.repeat(repo.root.split('/').length - 1)}srv/x.git
    git add .orchestration; git commit -qm config --no-verify`)
  await bindSession(repo)
})
afterAll(() => repo[Symbol.asyncDispose]())

const ask = (line: string) => askGate(repo, 'claude', bashTool(line)).then(it => it.kind)

test.each([
  'git push ./src/evil HEAD:x',
  'git push src/evil HEAD:x',
  'cd src && git push evil HEAD:x',
  'cd src && git push plain HEAD:x',
  // Git reads an address from the top of the worktree.
  'cd src && git push src/evil HEAD:x',
  'cd src && git push ./src/evil HEAD:x',
  'git -C src push ./src/evil HEAD:x',
  'git push "$PWD/src/evil" HEAD:x',
  'git push file://$PWD/src/evil HEAD:x',
  'git fetch ./src/evil main',
  'git remote add e ./src/evil && git push e HEAD:x',
  'git remote set-url origin src/evil && git push origin HEAD',
  'git push --repo=src/evil HEAD',
  'git push /tmp/made-by-an-agent.git HEAD',
  'git push ./src/gone HEAD; rm -rf src/gone',
])('a folder that an agent can write is watched as a remote: %s', async line => {
  expect(await ask(line)).toBe('asked')
})

test.each([
  'git push origin HEAD',
  'git push -u ssh HEAD:feature/x',
  'git push origin src',
  'git push far HEAD',
  'git push /srv/git/x.git HEAD',
  'git push ~/backup/x.git HEAD',
  'cd src && git push outside HEAD',
  'git -C src fetch outside',
  'git fetch --all',
  'git remote add up https://example.org/up.git',
])('any other remote is not: %s', async line => {
  expect(await ask(line)).toBe('allowed')
})

test.each([
  ['remote.origin.url', 'src/evil'],
  ['remote.origin.pushurl', './src/evil'],
  ['url.src/evil.insteadOf', 'https://example.org/'],
  ['remote.origin.url', 'ext::sh -c x'],
  ['branch.main.remote', './src/evil'],
])('also by the name of a remote: %s is %s', async (name, value) => {
  const before = await repo.run('git', ['config', '--get', name])
  await repo.git('config', name, value)
  expect(await ask('git push')).toBe('asked')
  if (before.code === 0) await repo.git('config', name, before.stdout.trim())
  else await repo.git('config', '--unset', name)
})

test('what the hooks of such a remote write is told as soon as it is done', async () => {
  await repo.write('.orchestration/config.yaml', 'opaque_commands: allow-and-watch\n')
  await repo.write('src/evil/hooks/post-receive', `#!/bin/sh\necho evil >${repo.root}/lib/tax.ts\n`)
  await repo.play('mkdir -p lib; chmod +x src/evil/hooks/post-receive')
  const push = 'git push -q ./src/evil HEAD:refs/heads/x'
  const { before, after } = await useTool(repo, 'claude', { ...bashTool(push), does: () => repo.play(push) })
  expect(before.kind).toBe('allowed')
  expect(after).toMatchObject({ kind: 'denied', refusal: { path: 'lib/tax.ts' } })
})
