import type { JSX } from 'preact'
import type { HandoverRow, HandoversFacts } from './handover-facts.ts'
import { PageTitle } from './layout.tsx'
import { links } from './links.ts'
import { Count, DataText, Table } from './parts.tsx'

/** The list of the sessions of the handover, the newest first. */
export function HandoversPage({ sessions }: HandoversFacts): JSX.Element {
  return (
    <>
      <PageTitle title="Handover" />
      <Table
        caption="Sessions of the handover"
        columns={['Session', 'Mode', 'State', '#Tasks', '#Completed', '#Questions', '#Missing', '#Problems']}
        rows={sessions.map(sessionRow)}
        empty="There is no session in .agents-work/. `kotef handover new` begins one."
      />
    </>
  )
}

function sessionRow(row: HandoverRow) {
  const { session, mode, state } = row
  const count = (n: number, section: string) => (
    <Count n={n} href={`${links.handover(session)}#s-${section}`} of={section.replace('-', ' ')} />
  )
  return [
    <a href={links.handover(session)}>
      <DataText text={session} />
    </a>,
    mode,
    state === null ? 'unknown' : <StateBadge state={state} />,
    count(row.tasks, 'tasks'),
    count(row.completed, 'completed-tasks'),
    count(row.pending, 'open-questions'),
    count(row.missing, 'what-is-missing'),
    count(row.problems, 'problems'),
  ]
}

/** The badge of a state of the workflow. */
export function StateBadge({ state }: { readonly state: string }): JSX.Element {
  return <span class={`badge state-${state.toLowerCase().replaceAll('_', '-')}`}>{state}</span>
}
