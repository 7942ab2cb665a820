import { commitLog } from '../../../core/git/log.ts'
import { SESSIONS_FOLDER } from '../../../core/handover/port.ts'
import { GUARD_WORDS, guardsOf } from '../../../core/handover/guards.ts'
import type { HandoverSession } from '../../../core/handover/handover-session.ts'
import { awaitedAnswers, statesAhead } from '../../../core/handover/states-ahead.ts'
import { TRANSITIONS } from '../../../core/handover/workflow.ts'
import { handoverView } from '../../../world/handover/session-view.ts'
import { sessionNames } from '../../../world/handover/session-folder.ts'
import type {
  HandoverDecision,
  HandoverEvent,
  HandoverFacts,
  HandoverRow,
  HandoversFacts,
} from '../pages/handover-facts.ts'
import { handoverStatus } from '../../../core/handover/handover-status.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The sessions of the handover in the worktree, by name, the newest first. */
export async function gatherHandovers(workspace: Workspace): Promise<HandoversFacts> {
  const sessions: HandoverRow[] = []
  for (const name of (await sessionNames(workspace)).reverse()) sessions.push(await handoverRow(workspace, name))
  return { sessions }
}

async function handoverRow(workspace: Workspace, name: string): Promise<HandoverRow> {
  const { session, mode, state, tasks, pending, missing, problems } = handoverStatus(
    await handoverView(workspace, name),
  )
  return {
    session,
    mode,
    state,
    tasks: tasks.length,
    completed: tasks.filter(it => it.status === 'completed').length,
    pending: pending.length,
    missing: missing.length,
    problems: problems.length,
  }
}

/** A session of the handover; null when the worktree has none of that name. */
export async function gatherHandover(workspace: Workspace, name: string): Promise<HandoverFacts | null> {
  if (!(await sessionNames(workspace)).includes(name)) return null
  const view = await handoverView(workspace, name)
  const { session } = view
  const found = (await workspace.git.tryAsk(commitLog({ path: `${SESSIONS_FOLDER}/${name}` }))) ?? []
  const commits = found.slice(0, COMMITS_MAX)
  const ofCommits = commits.map(it => ({ at: it.date, what: 'committed', text: it.subject, commit: it.commit }))
  return {
    now: workspace.clock.now(),
    status: handoverStatus(view),
    ways: waysOn(session),
    decisions: (session.status?.user_decisions ?? []).map(decisionFacts),
    history: [...sessionEvents(session), ...ofCommits].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)),
    older: found.length - commits.length,
    assumptions: session.status?.assumptions ?? [],
    knownIssues: session.status?.known_issues ?? [],
  }
}

const COMMITS_MAX = 500

/** The states that follow, each with what its way still needs. */
function waysOn(session: HandoverSession): HandoverFacts['ways'] {
  const { state, mode } = session
  const holds = guardsOf(session)
  const ahead = statesAhead(session)
  const awaited = awaitedAnswers(session)
  if (awaited.length > 0) return ahead.map(to => ({ to, needs: `the answer to ${awaited.join(', ')}` }))
  return ahead.map(to => {
    if (to === state) return { to, needs: null }
    const ways = TRANSITIONS.filter(it => it.from === state && it.to === to && (it.mode === 'both' || it.mode === mode))
    const unmet = ways.map(it => it.guard).filter(it => !holds(it))
    return { to, needs: unmet.length < ways.length ? null : unmet.map(it => GUARD_WORDS[it]).join(' or ') }
  })
}

type Decision = NonNullable<HandoverSession['status']>['user_decisions'][number]

function decisionFacts(it: Decision): HandoverDecision {
  return {
    id: it.decision_id,
    question: it.question,
    status: it.status,
    answer: it.answer,
    reason: it.resolution_reason,
    askedAt: it.asked_at,
    resolvedAt: it.resolved_at,
    isSecurity: it.security === true,
  }
}

/** What the files of a session say of the past. */
function sessionEvents({ status, history }: HandoverSession): HandoverEvent[] {
  const event = (at: string, what: string, text: string): HandoverEvent => ({ at, what, text, commit: null })
  return [
    ...(status?.user_decisions ?? []).flatMap(it => [
      event(it.asked_at, 'asked', `${it.decision_id}: ${it.question}`),
      ...(it.resolved_at === null ? [] : [event(it.resolved_at, it.status, `${it.decision_id}: ${it.answer ?? ''}`)]),
    ]),
    ...history.map(it => event(it.at, 'changes requested', it.answer)),
    ...(status ? [event(status.last_update, 'updated', `the state is ${status.current_state}`)] : []),
  ]
}
