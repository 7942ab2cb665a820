import type { JSX } from 'preact'
import type { HandoverFacts } from './handover-facts.ts'
import { DataText, Section, Table } from './parts.tsx'

type Tasks = HandoverFacts['status']['tasks']

/** The tasks of a session with the gates that are open, and below them those that are completed. */
export function HandoverTasks({ tasks }: { readonly tasks: Tasks }): JSX.Element {
  const completed = tasks.filter(it => it.status === 'completed')
  return (
    <>
      <Section title="Tasks">
        <TaskTable caption="Table of tasks" tasks={tasks} empty="There are no tasks yet." />
      </Section>
      <Section title="Completed tasks">
        <TaskTable caption="Table of completed tasks" tasks={completed} empty="No task is completed." />
      </Section>
    </>
  )
}

type TaskTableProps = { readonly caption: string; readonly tasks: Tasks; readonly empty: string }

function TaskTable({ caption, tasks, empty }: TaskTableProps): JSX.Element {
  return (
    <Table
      caption={caption}
      columns={['Task', 'Status', 'Goal', 'Open gates']}
      rows={tasks.map(({ id, status, goal, gates }) => [
        <DataText text={id} />,
        <span class={`badge task-${status}`}>{status}</span>,
        <DataText text={goal} />,
        gates.length === 0 ? 'none' : <GateList gates={gates} />,
      ])}
      empty={empty}
    />
  )
}

function GateList({ gates }: { readonly gates: readonly string[] }): JSX.Element {
  return (
    <ul class="plain">
      {gates.map(it => (
        <li>
          <DataText text={it} />
        </li>
      ))}
    </ul>
  )
}
