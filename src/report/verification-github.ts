import { plural } from '../text/plural.ts'
import type { Finding } from '../findings/finding.ts'
import { printable } from '../text/printable.ts'
import type { CommitFinding, Verification } from './verification.ts'

/** A verification as GitHub workflow commands, which GitHub shows as annotations of a change. */
export function verificationGithub({ ranges, findings }: Verification): string {
  const judged = ranges.reduce((sum, it) => sum + it.commits, 0)
  return [
    `kotef: ${plural(judged, 'commit')} judged, ${plural(findings.length, 'problem')}.`,
    ...findings.map(annotation),
  ].join('\n')
}

function annotation({ level, rule, path, message, hint, commit, subject }: CommitFinding): string {
  const file = path === null ? '' : `file=${inProperty(path)},`
  const who = commit === null ? '' : `${commit.slice(0, 10)} ${printable(subject ?? '')}: `
  const text = inData(`${who}${message}\n${hint}`.trim())
  return `::${ANNOTATION_KINDS[level]} ${file}title=${inProperty(`kotef: ${rule}`)}::${text}`
}

const ANNOTATION_KINDS: Readonly<Record<Finding['level'], string>> = { block: 'error', review: 'warning' }

// A newline in a text would let the text begin a workflow command of its own.
function inData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function inProperty(text: string): string {
  return inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
