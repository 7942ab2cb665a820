import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { packedKotef } from '../../rig/packed-kotef.ts'
import type { Repo } from '../../rig/repo.ts'
import { bypass, verifyFindings } from '../../rig/verify-findings.ts'

// With `verify: { governance: strict }` the keys in .orchestration/allowed_signers say who may change the rules: a
// signature goes with its commit, where an approval stays in the ledger of one clone.

const REGISTRY = '.orchestration/active_intents.yaml'
const SIGNERS = '.orchestration/allowed_signers'
const GOVERNS = 'Governance: why'
const ADD = `echo '  - { id: INT-009, name: mine, status: IN_PROGRESS, owned_scope: ["lib/**"] }' >>${REGISTRY}
  git add -A`
const COMMIT = `git -c core.hooksPath=/dev/null commit -qm add -m '${GOVERNS}'`
const WORK = `echo x >>lib/x.ts; ${bypass('work', 'Intent-ID: INT-009')}`
const by = (key: string): string => `-c user.signingkey="$PWD/../keys/${key}"`

// A program that says of each signature that it is the owner's.
// It reads what git writes to it: else git may meet a closed pipe, and take that for a bad signature.
const YES = `#!/bin/sh
case "$*" in
*find-principals*) echo owner@example.com ;;
*) cat >/dev/null; echo 'Good "git" signature for owner@example.com with ED25519 key SHA256:abc' ;;
esac
`

// `owner` is on the list of main, which a bare repository with kotef's hook has as well; `other` is on none.
const template = fixture(async () => {
  const template = await hookedRepo()
  const { root } = packedKotef()
  await template.write('../keys/yes', YES, 0o755)
  const commands = `for it in owner other; do ssh-keygen -q -t ed25519 -N '' -f ../keys/$it; done
    git config gpg.format ssh
    echo 'verify: { governance: strict, lands: merge }' >>.orchestration/config.yaml
    echo "owner@example.com $(cat ../keys/owner.pub)" >${SIGNERS}
    ${bypass('strict', GOVERNS)}
    git init -q --bare ../there; git remote add origin ../there; git push -q --no-verify origin main
    cp ${root}/hooks/pre-receive ../there/hooks/; chmod +x ../there/hooks/pre-receive
    git switch -qc w`
  expect(await runCommands(template, commands)).toMatchObject({ code: 0 })
  return template
})

const signed = (key: string) => `${ADD}; git ${by(key)} -c core.hooksPath=/dev/null commit -q -S -m add -m '${GOVERNS}'`
const rebased = (key: string) => `git ${by(key)} -c core.hooksPath=/dev/null rebase -q --force-rebase --gpg-sign HEAD~1`
const unsigned = [`block governance-unsigned ${REGISTRY} in add`, 'block policy-in-range - in work']

async function copied(): Promise<Repo> {
  const repo = await copyGoverned(template())
  // The keys and the server stay beside the copy.
  await repo.run('sh', ['-ec', `cp -R "${template().base}/keys" "${template().base}/there" ..`])
  await repo.git('remote', 'set-url', 'origin', join(repo.base, 'there'))
  return repo
}

describe.concurrent('under a strict config with a list of keys, a new intent and its work', () => {
  test.each<[what: string, commands: string, found: string[]]>([
    [
      'pass with the signature of a listed key',
      `${signed('owner')}; ${WORK}`,
      [`review governance-changed ${REGISTRY} in add`],
    ],
    [
      'pass again when they were merged',
      `${signed('owner')}; ${WORK}; git switch -q --detach main
        git merge -q --no-ff --no-edit w; git branch -f w HEAD`,
      [`review governance-changed ${REGISTRY} in add`],
    ],
    ['are refused without a signature', `${ADD}; ${COMMIT}; ${WORK}`, unsigned],
    ['are refused with that of another key', `${signed('other')}; ${WORK}`, unsigned],
    [
      'are refused with that of a key that the same range lists',
      `echo "x $(cat ../keys/other.pub)" >>${SIGNERS}; ${bypass('list', GOVERNS)}; ${signed('other')}; ${WORK}`,
      [`block governance-unsigned ${SIGNERS} in list`, ...unsigned],
    ],
    [
      'are refused with that of a key that the target has removed since',
      `${signed('owner')}; ${WORK}; git switch -q main; echo "x $(cat ../keys/other.pub)" >${SIGNERS}
        ${bypass('revoke', GOVERNS)}; git switch -q w`,
      unsigned,
    ],
    [
      'are refused where the one who checks signatures is set by the config',
      `${signed('other')}; git config gpg.ssh.program "$PWD/../keys/yes"
        git config gpg.ssh.allowedSignersFile "$PWD/../keys/owner.pub"; git verify-commit HEAD; ${WORK}`,
      unsigned,
    ],
    [
      'are refused with the signature of a text that is another one now',
      `${signed('owner')}; git cat-file commit HEAD | sed 's/^add$/bad/' >../raw
        git reset -q --hard "$(git hash-object -t commit -w ../raw)"; ${WORK}`,
      unsigned.map(it => it.replace('in add', 'in bad')),
    ],
  ])('%s', async (_, commands, found) => {
    await using repo = await copied()
    expect(await runCommands(repo, commands)).toMatchObject({ code: 0 })
    expect((await verifyFindings(repo, 'main..w')).sort()).toEqual([...found].sort())
  })
})

test('what the commit’s hint says makes the push, the server and the pipeline take it', async () => {
  await using repo = await copied()
  await runCommands(repo, `${ADD}; ${COMMIT}; git config user.signingkey "$PWD/../keys/owner"`)
  const ways = async () => {
    const { oids } = { oids: (await repo.git('rev-parse', 'main', 'w')).trim().split('\n') }
    const env = { CI: 'true', CI_MERGE_REQUEST_DIFF_BASE_SHA: oids[0] ?? '', CI_COMMIT_SHA: oids[1] ?? '' }
    return {
      verify: await repo.run('kotef', ['verify', 'main..w']),
      push: await repo.run('git', ['push', '-q', '--dry-run', 'origin', 'w']),
      server: await repo.run('git', ['push', '-q', '--no-verify', 'origin', 'w']),
      pipeline: await repo.run('kotef', ['verify', '--ci'], { env: { ...env, GITLAB_CI: 'true' } }),
    }
  }
  const refused = await ways()
  for (const it of Object.values(refused))
    expect(it.stdout + it.stderr).toContain('has to sign that, and the commit has no signature')
  expect(Object.values(refused).map(it => it.code)).not.toContain(0)
  const [, command = ''] = /what follows it: `(.*)`/.exec(refused.verify.stdout) ?? []
  expect(await runCommands(repo, command)).toMatchObject({ code: 0 })
  expect(Object.values(await ways()).map(it => it.code)).toEqual([0, 0, 0, 0])
})

test('a signature goes with a commit that is made again', async () => {
  await using repo = await copied()
  expect(await runCommands(repo, `${ADD}; ${COMMIT}; ${rebased('owner')}; ${WORK}`)).toMatchObject({ code: 0 })
  expect(await verifyFindings(repo, 'main..w')).toEqual([`review governance-changed ${REGISTRY} in add`])
})
