import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo, runCliOrThrow } from '../../rig/hooked-repo.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'
import { recordAgentRemoval } from '../../rig/recorded-write.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const COMMIT = "commit -qm 'no more' -m 'Governance: why'"

// The bare repository .git/there has main and kotef's hook.
const template = fixture(async () => {
  const template = await hookedRepo()
  const { root } = packedKotef()
  await runCommands(
    template,
    `git init -q --bare .git/there; git remote add there .git/there; git push -q --no-verify there main
     cp ${root}/hooks/pre-receive .git/there/hooks/; chmod +x .git/there/hooks/pre-receive`,
  )
  return template
})

describe.concurrent(
  'a registry that a governance commit takes away is refused in hook, push, verify and server',
  () => {
    test.each([
      ['the list alone', `git rm -q ${REGISTRY}`],
      ['all but the config', `git rm -rq ${REGISTRY} .sdd .intentignore`],
      ['all but what is forbidden', 'git rm -rq .orchestration .intentignore'],
      ['all but what is ignored', 'git rm -rq .orchestration .sdd'],
      ['a move', `git mv ${REGISTRY} src/x.yaml`],
      ['an empty file', `: >${REGISTRY}; git add -A`],
      ['half a file', `echo 'active_intents: [' >${REGISTRY}; git add -A`],
      ['a folder', `git rm -q ${REGISTRY}; mkdir ${REGISTRY}; echo x >${REGISTRY}/x; git add -A`],
      ['a link', `ln -sf ../src/a.ts ${REGISTRY}; git add -A`],
      ['a link to a registry', `cp ${REGISTRY} src/r.yaml; ln -sf ../src/r.yaml ${REGISTRY}; git add ${REGISTRY}`],
      [
        'a submodule',
        `git rm -q ${REGISTRY}; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),${REGISTRY}`,
      ],
    ])('%s', async (_, commands) => {
      await using repo = await copyGoverned(template())
      const hook = await repo.play(`${commands}; git ${COMMIT}`)
      expect([hook.code, hook.stderr]).toEqual([1, expect.stringContaining('kotef: commit stopped')])
      expect((await repo.play(`git -c core.hooksPath=/dev/null ${COMMIT}`)).code).toBe(0)
      const { stdout } = await repo.kotef('verify', '--json', 'there/main..main')
      const push = await repo.play('git push -q there main')
      const server = await repo.play('git push -q --no-verify there main')
      const blocks = { verify: stdout.includes('"block"'), push: push.code, server: server.code }
      expect(blocks, `${hook.stderr}\n${stdout}\n${push.stderr}\n${server.stderr}`).toEqual({
        verify: true,
        push: 1,
        server: 1,
      })
    })
  },
)

const LEAVE = 'git rm -rq --ignore-unmatch .orchestration .sdd .intentignore'

test('the commit that leaves kotef passes everywhere, and everywhere it is said', async () => {
  await using repo = await copyGoverned(template())
  expect(await repo.play(`${LEAVE}; git ${COMMIT}`)).toMatchObject({ code: 0 })
  const words = 'the registry is gone: kotef leaves, and nothing after this commit is judged'
  expect((await repo.kotef('verify', 'there/main..main')).stdout).toContain(`review ${words}`)
  const push = await repo.play('git push -q there main')
  expect([push.code, push.stderr.split(words)]).toEqual([0, expect.objectContaining({ length: 3 })])
})

test('an agent does not leave kotef: neither here nor by a push', async () => {
  await using repo = await copyGoverned(template())
  await runCliOrThrow(repo, 'intent', 'start', 'INT-001', '--agent', 'aider')
  const hook = await repo.play(`${LEAVE}; git ${COMMIT}`)
  expect([hook.code, hook.stderr]).toEqual([1, expect.stringContaining('an agent works here: aider')])
  await recordAgentRemoval(repo, REGISTRY)
  await runCommands(repo, `git -c core.hooksPath=/dev/null ${COMMIT}`)
  expect(await repo.play('git push -q there main')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ {2}block .*: the registry is gone/),
  })
})

test('the line that is printed for half a removal removes the whole', async () => {
  await using repo = await copyGoverned(template())
  const { stderr } = await repo.play(`git rm -q ${REGISTRY}; git ${COMMIT}`)
  expect(stderr).toContain(`${REGISTRY} is removed, and .intentignore and 2 more stay`)
  const [, way = ''] = /`(git rm .*)`/.exec(stderr) ?? []
  expect(await repo.play(`${way}; git ${COMMIT}`)).toMatchObject({ code: 0 })
})
