import type { Finding } from '../findings/finding.ts'
import type { HandoverProblem } from '../handover/handover-problem.ts'
import { printable } from '../text/printable.ts'
import type { Rule } from './apply-rules.ts'

/** Sessions of agents that hand over keep to their contract. Work that a commit takes back or repeats is reviewed. */
export const sessionsKeepTheContract: Rule = ({ handover = [], inherited }) =>
  handover.map(it => {
    const finding = handoverFinding(it)
    return inherited.length > 0 ? { ...finding, level: 'review' } : finding
  })

function handoverFinding({ rule, file, line, pointer, expected, found }: HandoverProblem): Finding {
  const at = [line === null ? '' : `:${line}`, pointer === null ? '' : ` (${printable(pointer)})`].join('')
  const session = /^\.agents-work\/([^/]+)\//.exec(file)?.[1] ?? ''
  return {
    rule,
    level: rule === 'handover-stale' ? 'review' : 'block',
    path: file,
    message: `${printable(file)}${at}: expected ${expected}, found ${printable(found)}`,
    hint: `See all problems of the session: \`kotef handover check ${printable(session)}\``,
  }
}
