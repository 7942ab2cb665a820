import type { Finding } from '../base/finding.ts'
import type { HandoverProblem } from '../handover/handover-problem.ts'
import type { PathChange } from '../git/changes.ts'
import type { RoleBreach } from '../handover/port.ts'
import { ALWAYS_COMMITTABLE, isRegistryPath } from '../base/governance-files.ts'
import { printable } from '../base/printable.ts'
import type { Rule } from './apply-rules.ts'
import { unstageHint } from './hints.ts'

/** Sessions of agents that hand over keep to their contract. Work that a commit takes back or repeats is reviewed. */
export const sessionsKeepTheContract: Rule = ({ handover = [], inherited }) =>
  handover.map(it => {
    const finding = handoverFinding(it)
    return inherited.length > 0 ? { ...finding, level: 'review' } : finding
  })

/**
 * No role commits what it may not write. Files of kotef and governance files have rules of their own, and what a commit
 * takes over from others was committed before.
 */
export const rolesWriteWhatTheyMay: Rule = ({ roleBreaches = [], changes, inherited }, { governanceFiles }) => {
  const exempt = [...ALWAYS_COMMITTABLE, ...governanceFiles]
  const afterOf = (path: string, all: readonly PathChange[]) => all.find(it => it.path === path)?.after?.oid ?? null
  const isTakenOver = (path: string): boolean =>
    inherited.some(
      it => it.changes.some(one => one.path === path) && afterOf(path, it.changes) === afterOf(path, changes),
    )
  return roleBreaches
    .filter(({ path }) => !exempt.includes(path) && !isRegistryPath(path))
    .map(it => ({ ...roleFinding(it), level: isTakenOver(it.path) ? 'review' : 'block' }))
}

function roleFinding({ path, writer, why }: RoleBreach): Omit<Finding, 'level'> {
  const role = `${writer.role} of ${printable(writer.session)}`
  const by = writer.by === null ? '' : ` (session ${printable(writer.by)})`
  return {
    rule: 'handover-role',
    path,
    message: `${printable(path)} was written by the ${role}${by}: ${printable(why)}`,
    hint: unstageHint(path),
  }
}

function handoverFinding({ rule, level, file, line, pointer, expected, found }: HandoverProblem): Finding {
  const at = [line === null ? '' : `:${line}`, pointer === null ? '' : ` (${printable(pointer)})`].join('')
  const session = /^\.agents-work\/([^/]+)\//.exec(file)?.[1] ?? ''
  return {
    rule,
    level: level ?? (rule === 'handover-stale' ? 'review' : 'block'),
    path: file,
    message: `${printable(file)}${at}: expected ${expected}, found ${printable(found)}`,
    hint: `See all problems of the session: \`kotef handover check ${printable(session)}\``,
  }
}
