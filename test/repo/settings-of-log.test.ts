import { expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { fixture } from '../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../rig/hooked-repo.ts'
import type { Repo } from '../rig/repo.ts'

// Signs whatever it is given, and says of each signature that it is good.
const SIGNER = `#!/bin/sh
case "$*" in
*--verify*) echo 'gpg: Good signature' >&2; echo '[GNUPG:] GOODSIG A' ;;
*) cat >/dev/null; echo '[GNUPG:] SIG_CREATED ' >&2
  printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n' ;;
esac
`

/** A history whose commits are all signed. */
const template = fixture(async () => {
  const repo = await hookedRepo()
  await repo.write('../gpg', SIGNER, 0o755)
  await repo.git('config', 'gpg.program', `${repo.base}/gpg`)
  await repo.git('config', 'commit.gpgSign', 'true')
  await repo.play(`
    git commit -q --amend --no-edit
    echo 'export const a = 1' >>src/a.ts; git commit -qam 'one' -m 'Intent-ID: INT-001'
    mkdir next; echo n >next/n; git add next; git commit -qm 'two' -m 'Intent-ID: INT-003'
    sed -i 's/name: docs/name: pages/' .orchestration/active_intents.yaml
    git commit -qam 'three' -m 'Governance: renamed'`)
  return repo
})

const QUESTIONS = [
  ...[
    'status',
    'intent list',
    'log',
    'show INT-001',
    'blame src/a.ts',
    'why src/a.ts:1',
    'stats',
    'trace --commit HEAD',
  ],
  ...['verify HEAD~3..HEAD', 'report HEAD~3..HEAD', 'context --intent INT-003'],
]

// Without the age of the session, which grows meanwhile.
async function answers(repo: Repo): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const it of QUESTIONS) {
    const { text } = await runCli(repo, ...it.split(' '))
    found[it] = text.replace(/^(session .*), .*$/m, '$1')
  }
  return found
}

test('signatures in the log, and other separators of trailers, change no answer', async () => {
  await using repo = await copyGoverned(template())
  expect((await repo.git('log', '-1', '--show-signature')).split('\n')[1]).toBe('gpg: Good signature')
  const before = await answers(repo)
  expect(before['intent list']).toMatch(/INT-003.*IN_PROGRESS/)
  await repo.git('config', 'log.showSignature', 'true')
  await repo.git('config', 'trailer.separators', '%=')
  expect(await answers(repo)).toEqual(before)
  await repo.play(`echo l >>lib/x.ts; git add lib`)
  const { stderr } = await repo.play(`git commit -qm four || :; git reset -q --hard`)
  expect(stderr).toContain('lib/x.ts is outside intent INT-001')
})
