import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCommands, judgeNewHistory } from '../../rig/judged-repo.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { testPage } from '../../rig/page.ts'

const template = fixture(hookedRepo)

testPage(join(import.meta.dirname, 'commit-forms.txt'), template)

const CHANGE = 'echo more >>src/a.ts; git add src'
const EDITOR = `GIT_EDITOR='sed -i "1s/^/written/"'`

test('a commit without any message names no intent, which is found afterwards', async () => {
  await using repo = await copyGoverned(template())
  await judgeNewHistory(repo)
  await repo.run('sh', ['-ec', `${CHANGE}; git commit -q --allow-empty-message -m ''`])
  expect(await repo.git('log', '-1', '--format=[%B]')).toBe('[]\n')
  expect(await judgeNewHistory(repo)).toEqual(['intent-named - in '])
})

describe('a signature is of the message as it was stamped', () => {
  // A key of this very test, which git is told to trust.
  const KEY = `ssh-keygen -q -t ed25519 -N '' -C '' -f ../key
    printf 'cora@example.com namespaces="git" %s\\n' "$(cat ../key.pub)" >../signers
    git config gpg.format ssh; git config user.signingKey ../key.pub
    git config gpg.ssh.allowedSignersFile ../signers`

  test.each([
    ['-m', `${CHANGE}; git commit -S -qm w`],
    ['an editor', `${CHANGE}; ${EDITOR} git commit -S -q`],
    [
      'commit.gpgSign and an amendment',
      `${CHANGE}; git commit -qm w; git -c commit.gpgSign=true commit -q --amend -m w`,
    ],
  ])('with %s', async (_, commands) => {
    await using repo = await copyGoverned(template())
    expect(await runCommands(repo, `${KEY}; ${commands}`)).toMatchObject({ code: 0, stderr: '' })
    expect(await repo.git('log', '-1', '--format=%G? %GS %(trailers:only)')).toBe(
      'G cora@example.com Intent-ID: INT-001\n\n',
    )
    expect(await repo.run('git', ['verify-commit', 'HEAD'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Good "git" signature for cora@example.com'),
    })
    const other = 'git cat-file commit HEAD | sed s/INT-001/INT-002/ | git hash-object -t commit -w --stdin'
    expect((await repo.play(`git verify-commit $(${other})`)).stderr).toContain('Signature verification failed')
  })
})
