import { ACCEPTANCE_FILE } from './acceptance-file.ts'
import { TASKS_FILE } from './port.ts'
import { type HandoverSession, readHandoverSession, sessionPath } from './handover-session.ts'
import { lackingSections, WANTED_SECTIONS } from './sections.ts'
import { type DoneLack, whyNotDone } from './why-not-done.ts'
import type { Guard } from './workflow.ts'

// The artifacts that a guard looks at.
const ARTIFACTS: Readonly<Partial<Record<Guard, readonly string[]>>> = {
  'intake-complete': ['spec.md', ACCEPTANCE_FILE],
  'lean-intake-complete': ['spec.md', ACCEPTANCE_FILE, TASKS_FILE],
  'design-complete': ['architecture.md'],
  'plan-complete': [TASKS_FILE],
}

/** What a session lacks for a guard, as far as its artifacts show it: each file, and what is wrong with it. */
export function lacksOf(session: HandoverSession, guard: Guard): DoneLack[] {
  if (guard === 'done') return whyNotDone(session)
  if (guard === 'tasks-completed') return whyNotDone(session).filter(it => it.file === TASKS_FILE)
  return (ARTIFACTS[guard] ?? []).flatMap(it => artifactLacks(session, it))
}

function artifactLacks({ name, texts }: HandoverSession, file: string): DoneLack[] {
  const text = texts.get(file)
  if (text === undefined) return [{ file, pointer: null, expected: 'a file', found: 'none' }]
  if (file === 'spec.md' || file === 'architecture.md')
    return lackingSections(text, WANTED_SECTIONS[file]).map(it => ({
      file,
      pointer: null,
      expected: `the section ${it.name}, with content`,
      found: 'none',
    }))
  const { problems } = readHandoverSession({ name, texts: new Map([[file, text]]) })
  const own = problems.filter(it => it.file === sessionPath(name, file))
  return own.map(({ line, expected, found }) => ({
    file: line === null ? file : `${file}:${line}`,
    pointer: null,
    expected,
    found,
  }))
}
