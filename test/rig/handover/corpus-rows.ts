import type { HandoverAgent } from '../../../src/core/handover/agents.ts'
import type { HandoverRule } from '../../../src/core/handover/handover-problem.ts'
import type { SessionFiles } from '../../../src/core/handover/handover-session.ts'
import { type SessionEdits, sessionIn } from './session-files.ts'

/** A change of a session: from files that break no rule, or from nothing, to other files. */
export type CorpusRow = {
  readonly title: string
  readonly before: SessionFiles | null
  readonly after: SessionFiles
  /** Who makes the change; for most rows it does not matter. */
  readonly role?: HandoverAgent
}

/** A change that breaks a rule. */
export type IllegalRow = CorpusRow & { readonly rule: HandoverRule }

export type Status = Parameters<NonNullable<SessionEdits['status']>>[0]

/** A session in IMPLEMENT_LOOP, with edits. */
export const inLoop = (edits: SessionEdits = {}): SessionFiles => sessionIn('IMPLEMENT_LOOP', edits)
export const withStatus = (edit: (status: Status) => void): SessionFiles => inLoop({ status: edit })
export const withTasks = (edit: NonNullable<SessionEdits['tasks']>): SessionFiles => inLoop({ tasks: edit })
export const withText = (file: string, text: string | null): SessionFiles => inLoop({ files: { [file]: text } })
export const withDecision = (decision: object): SessionFiles =>
  withStatus(it => {
    it['user_decisions'].push(decision)
    if ('status' in decision && decision.status === 'pending') it['current_state'] = 'ASK_USER'
  })
export const statusText = (edit: (status: Status) => void): string => withStatus(edit).texts.get('status.json') ?? ''

/** A change that breaks a rule, from files that break none. */
export const broken =
  (rule: HandoverRule) =>
  (title: string, after: SessionFiles, before: SessionFiles | null = null): IllegalRow => ({
    rule,
    title,
    before,
    after,
  })

/** A session in IMPLEMENT_LOOP whose task has a status. */
export const withStatusOf = (status: string): SessionFiles => withTasks(it => (it[0]!['status'] = status))
