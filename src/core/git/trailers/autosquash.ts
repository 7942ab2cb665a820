import type { GitQuery } from '../query.ts'
import { citationIn, governanceIn } from './commits.ts'

/** The text by which a `fixup!`, `squash!` or `amend!` message names its commit; null for any other message. */
export function autosquashTarget(message: string): string | null {
  const [subject = ''] = message.split('\n')
  const target = subject.replace(/^(?:(?:fixup|squash|amend)! )+/, '').trim()
  return target === subject.trim() || target === '' ? null : target
}

/** A commit by its message: the subject, the intents that it cites, and whether it gives a reason to govern. */
export type CitingCommit = {
  readonly oid: string
  readonly subject: string
  readonly cited: readonly string[]
  readonly governs: boolean
}

/** The newest commits that some revisions select, by their messages; newest first. */
export function citingCommits(revisions: readonly string[], countMax: number): GitQuery<CitingCommit[]> {
  const format = '--format=%H%x00%s%x00%B%x00'
  const flags = ['log', '--encoding=UTF-8', `--max-count=${countMax}`, format]
  return { args: [...flags, '--ignore-missing', ...revisions, '--'], parse: parseCommits }
}

function parseCommits(out: string): CitingCommit[] {
  const fields = out.split('\0')
  const commits: CitingCommit[] = []
  for (let n = 0; n + 2 < fields.length; n += 3) {
    const [oid = '', subject = '', body = ''] = fields.slice(n, n + 3)
    commits.push({ oid: oid.trim(), subject, cited: citationIn(body).cited, governs: governanceIn(body) !== null })
  }
  return commits
}

/** The commit among some, newest first, that a target of `autosquashTarget` names: by its subject or its oid. */
export function targetCommit(target: string, commits: readonly CitingCommit[]): CitingCommit | null {
  const own = commits.filter(it => autosquashTarget(it.subject) === null)
  return (
    own.find(it => it.subject === target) ??
    own.find(it => it.subject.startsWith(target)) ??
    own.find(it => /^[0-9a-f]{4,64}$/.test(target) && it.oid.startsWith(target)) ??
    null
  )
}
