import type { Finding } from '../base/finding.ts'
import type { CommandCheck, Intent } from '../intents/intent.ts'
import { printable, shellQuoted } from '../base/printable.ts'
import type { Commit } from '../git/trailers/commits.ts'

/**
 * For review: a commit changes a file that a check of an intent it cites names, such as a test or a script, so a pass
 * may mean less than before. A file that the range creates is not one: without it the check could not pass.
 */
export function checkFileFindings(
  { oid, cited, changes }: Pick<Commit, 'oid' | 'cited' | 'changes'>,
  intents: readonly Intent[],
): Finding[] {
  const changed = changes.filter(it => it.before !== null).map(it => it.path)
  return intents
    .filter(it => cited.includes(it.id))
    .flatMap(({ id, acceptance_criteria }) => {
      const checks = acceptance_criteria.filter(it => typeof it !== 'string')
      return checks.flatMap(check => changed.filter(it => isNamed(it, check)).map(path => ({ id, check, path })))
    })
    .map(({ id, check, path }) => ({
      rule: 'check-changed',
      level: 'review',
      path,
      message: `${printable(path)} is part of a check of ${id}: ${printable(check.cmd)}`,
      hint: `Look at what the check proves now: \`git show ${oid} -- ${shellQuoted(path)}\``,
    }))
}

// A word of the command, as far as it can be seen without running it.
function isNamed(path: string, { cmd, cwd = '.' }: CommandCheck): boolean {
  const folder = cwd === '.' ? '' : `${cwd.replace(/^\.\/|\/$/g, '')}/`
  const name = path.startsWith(folder) ? path.slice(folder.length) : null
  return name !== null && cmd.split(BETWEEN_WORDS).some(it => it === name || it === `./${name}`)
}

const BETWEEN_WORDS = /[\s'"`;|&()<>=:]+/
