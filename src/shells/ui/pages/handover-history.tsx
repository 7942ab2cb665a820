import type { JSX } from 'preact'
import { answerCommand } from '../../../core/handover/person-gates.ts'
import { Command } from './command-text.tsx'
import type { HandoverDecision, HandoverEvent } from './handover-facts.ts'
import { CommitLink } from './lines-page.tsx'
import { DataText, Section, Table, When } from './parts.tsx'

type QuestionsProps = {
  readonly decisions: readonly HandoverDecision[]
  readonly now: number
  /** The session, in which a person answers. */
  readonly session: string
}

/** The questions that wait for an answer, and the decisions that were made. */
export function HandoverQuestions({ decisions, now, session }: QuestionsProps): JSX.Element {
  const open = decisions.filter(isPending)
  const ended = decisions.filter(it => !isPending(it))
  return (
    <>
      <Section title="Open questions">
        <Table
          caption="Table of open questions"
          columns={['Question', 'Text', 'Asked']}
          rows={open.map(it => [
            <DecisionId decision={it} />,
            <DataText text={it.question} />,
            <When at={it.askedAt} now={now} />,
          ])}
          empty="No question waits for an answer."
        />
        {open.length > 0 && <Command text={answerCommand(session)} />}
      </Section>
      <Section title="Decisions">
        <Table
          caption="Table of decisions"
          columns={['Question', 'Text', 'End', 'Answer', 'When']}
          rows={ended.map(it => [
            <DecisionId decision={it} />,
            <DataText text={it.question} />,
            it.status,
            <DataText text={it.answer ?? it.reason ?? ''} />,
            <When at={it.resolvedAt ?? it.askedAt} now={now} />,
          ])}
          empty="No question was answered."
        />
      </Section>
    </>
  )
}

function isPending({ status }: HandoverDecision): boolean {
  return status === 'pending'
}

function DecisionId({ decision: { id, isSecurity } }: { readonly decision: HandoverDecision }): JSX.Element {
  return (
    <>
      <DataText text={id} />
      {isSecurity && <span class="badge"> security</span>}
    </>
  )
}

type HistoryProps = { readonly history: readonly HandoverEvent[]; readonly older: number; readonly now: number }

/** What happened in a session, newest first. */
export function HandoverHistory({ history, older, now }: HistoryProps): JSX.Element {
  return (
    <Section title="History">
      <Table
        caption="Table of events"
        columns={['When', 'What', 'Text', 'Commit']}
        rows={history.map(({ at, what, text, commit }) => [
          <When at={at} now={now} />,
          what,
          <DataText text={text} />,
          commit === null ? '' : <CommitLink oid={commit} />,
        ])}
        empty="Nothing has happened yet."
      />
      {older > 0 && <p class="hint">… and {older} older commits: see them with git log</p>}
    </Section>
  )
}
