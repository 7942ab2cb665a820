import type { GitQuery } from './query.ts'

/**
 * A commit's signature, by a list of keys: `good` by a key of the list, `unlisted` by another one, `unchecked` where
 * git can't say.
 */
export type Signature = 'good' | 'none' | 'unlisted' | 'bad' | 'unchecked'

/**
 * The signature of a commit, by a file of SSH keys as `ssh-keygen` reads it (its section ALLOWED SIGNERS). The program
 * that checks is not taken from the config, which an agent may have changed.
 */
export function signatureBy(keysPath: string, commit: string): GitQuery<Signature> {
  const settings = [`gpg.ssh.allowedSignersFile=${keysPath}`, 'gpg.ssh.program=ssh-keygen'].flatMap(it => ['-c', it])
  return { args: [...settings, 'log', '-1', '--format=%G? %GF', commit, '--'], parse: parseSignature }
}

// The letters of git-log's `%G?`. The list has no key of GnuPG, whose keyring is the machine's.
function parseSignature(out: string): Signature {
  const [letter = '', fingerprint = ''] = out.trim().split(' ')
  if (letter === 'G') return fingerprint.startsWith('SHA256:') ? 'good' : 'unlisted'
  return LETTERS[letter] ?? 'unchecked'
}

const LETTERS: Readonly<Record<string, Signature>> = {
  ...{ N: 'none', B: 'bad' },
  // Git takes a key that has expired in the list for one that it does not have.
  ...{ U: 'unlisted', X: 'unlisted', Y: 'unlisted', R: 'unlisted' },
}
