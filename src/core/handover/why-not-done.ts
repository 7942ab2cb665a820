import { type AcceptanceCriterion, verificationsOf } from './acceptance-file.ts'
import type { HandoverSession } from './handover-session.ts'
import { lackingSections, WANTED_SECTIONS } from './sections.ts'

/** What a session still lacks to be done; `file` is the artifact that shows it. */
export type DoneLack = {
  readonly file: string
  readonly pointer: string | null
  readonly expected: string
  readonly found: string
}

/** Everything that a session lacks to be done, computed from its artifacts; nothing for one that is done. */
export function whyNotDone(session: HandoverSession): DoneLack[] {
  const { tasks, status, acceptance } = session
  return [
    ...(tasks?.tasks ?? []).filter(it => it.status !== 'completed').map(it => openTask(it.id, it.status)),
    ...(tasks ? [] : [lack('tasks.yaml', null, { expected: 'a valid list of tasks', found: 'none' })]),
    ...(status?.user_decisions ?? [])
      .filter(it => it.status === 'pending')
      .map(it =>
        lack('status.json', `user_decisions/${it.decision_id}`, { expected: 'an ended decision', found: 'pending' }),
      ),
    ...(acceptance?.acceptance_criteria ?? []).flatMap(it => openCriterion(session, it)),
    ...(acceptance ? [] : [lack('acceptance.json', null, { expected: 'valid acceptance criteria', found: 'none' })]),
    ...reportLacks(session),
  ]
}

/** True when a criterion's commands passed, and a person answered what only a person can verify. */
function openCriterion({ status }: HandoverSession, criterion: AcceptanceCriterion): DoneLack[] {
  const { commands, manual } = verificationsOf(criterion)
  const answers = (status?.user_decisions ?? []).filter(it => it.criterion === criterion.id && it.status === 'answered')
  if (answers.some(it => /^waived:\s*\S/.test(it.answer ?? ''))) return []
  const at = `acceptance_criteria/${criterion.id}`
  const result = status?.acceptance_results?.[criterion.id]?.status ?? 'not run'
  const ofCommands =
    commands.length > 0 && result !== 'passed'
      ? [lack('acceptance.json', at, { expected: 'its commands passed', found: result })]
      : []
  const isMet = answers.some(it => /^met\b/.test(it.answer ?? ''))
  const ofPersons =
    manual.length > 0 && !isMet
      ? [lack('acceptance.json', at, { expected: 'a person who says that it is met', found: 'nobody' })]
      : []
  return [...ofCommands, ...ofPersons]
}

function reportLacks({ texts }: HandoverSession): DoneLack[] {
  const report = texts.get('report.md')
  if (report === undefined) return [lack('report.md', null, { expected: 'a report', found: 'none' })]
  const lacking = lackingSections(report, WANTED_SECTIONS['report.md'])
  return lacking.map(it =>
    lack('report.md', it.name, { expected: `the section ${it.name}, with content`, found: 'none' }),
  )
}

function openTask(id: string, status: string): DoneLack {
  return lack('tasks.yaml', `tasks/${id}/status`, { expected: 'completed', found: status })
}

function lack(
  file: string,
  pointer: string | null,
  { expected, found }: Pick<DoneLack, 'expected' | 'found'>,
): DoneLack {
  return { file, pointer, expected, found }
}
