import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AgentAbove, gatherAgentAbove } from '../../world/recording/agent-activity/agent-above.ts'
import { gatherChoreFacts } from '../../world/commits/chore-facts.ts'
import { gatherGovernanceAuthors } from '../../world/commits/governance-authors.ts'
import { gatherTakenBack, recentHistory } from '../../world/commits/taken-back.ts'
import { gatherRoleFacts } from '../../world/commits/role-facts.ts'
import { gatherGitFacts } from '../../world/commits/git-facts.ts'
import { isReplaying } from '../../core/git/git-operation.ts'
import { gatherApprovals } from '../../world/approvals/read-approvals.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { headOid } from '../../core/git/revisions.ts'
import { agentNames, sessionIntents } from '../../core/intents/session.ts'
import { sessionOfPath } from '../../core/handover/port.ts'
import { lessonsFact, promptFileChange } from '../../core/lessons/lessons-change.ts'
import { governanceFilesIn, isApproved } from '../../core/rules/approval.ts'
import { type CommitFacts, sortChanges, type StagedFacts } from '../../core/rules/commit-facts.ts'
import { withBrought } from '../../core/rules/brought-changes.ts'
import { pathsKeepingBehaviour } from '../../core/rules/refactor-only.ts'
import type { PolicyIntent } from '../../core/intents/scope/policy.ts'
import type { CompiledPolicy } from '../../core/intents/scope/compiled-policy.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'
import { gatherHere, tryAskGitSync } from './gather-here.ts'
import { areOnlyTransitionsHere } from './only-transitions.ts'

/**
 * Gathers the facts that a judgement of the staged changes needs, and of the commit's message when there is one.
 * Whether a person approved them is another question: `arePersons`.
 */
export async function stagedFacts(
  context: HookContext,
  { policy: own, sessions }: Pick<CompiledPolicy, 'policy' | 'sessions'>,
  message = '',
): Promise<StagedFacts & LentFacts> {
  const { broughtChanges, ...facts } = gatherHere(gatherGitFacts(context, message))
  const lent = await lentHere(context, own, facts.inherited)
  const policy = lent.length === 0 ? own : { ...own, intents: [...own.intents, ...lent] }
  const amending = { author: context.author, now: Date.now() }
  const place = { root: '', gitDir: context.gitDir, amending }
  const above = gatherHere(gatherAgentAbove({ commonDir: dirname(context.shared) }))
  const onlyTransitions = await areOnlyTransitionsHere(context, facts.changes)
  const lessons = stagedLessons(facts.changes)
  const authors = gatherGovernanceAuthors(place, { changes: facts.changes, policy, onlyTransitions, ...lessons })
  const who = await withOtherWorktrees(context, committer(context, sessions, above), { policy, message })
  const isPersons = (): boolean => isPersonAtTerminal(context, who)
  const staged = {
    ...facts,
    policy,
    ...who,
    // Only a message is for a standing intent.
    ...(message === ''
      ? {}
      : gatherHere(gatherChoreFacts({ ...place, isPersons }, { changes: facts.changes, policy }))),
    agents: agentsHere(facts.adoption ? null : context.agentVariable, sessions, above),
    ...gatherHere(authors),
    ...(who.byAgent ? {} : gatherHere(gatherTakenBack(facts, { policies: [policy], history: recentHistory }))),
    // The hook for the message runs after the one that has judged them.
    ...(message === '' ? await stagedHandover(context, place, facts.changes) : {}),
    approved: false,
    replaying: gatherHere(isReplaying(context)),
    onlyTransitions,
    ...lessons,
    lent: lent.map(it => it.id),
  }
  return withBrought(staged, broughtChanges)
}

/** The intents that the registry lacks, and that the commits lend of which this one is made. */
type LentFacts = { readonly lent: readonly string[] }

// The registry of a picked commit is YAML.
async function lentHere(
  context: HookContext,
  { intents }: StagedFacts['policy'],
  inherited: StagedFacts['inherited'],
): Promise<readonly PolicyIntent[]> {
  const known = intents.map(it => it.id)
  const works = inherited.filter(it => it.intents.some(id => !known.includes(id)))
  return works.length === 0 ? [] : askYamlHelper(context, 'lent-intents', { works, known })
}

// An agent is known by its process or its variables, also after its session. Before an adoption nothing is governed.
function agentsHere(
  variable: string | null,
  sessions: CompiledPolicy['sessions'],
  above: AgentAbove | null,
): readonly string[] {
  const names = agentNames(sessions)
  if (names.length > 0) return names
  return above ? [above.agent] : variable === null ? [] : [`${variable} is set`]
}

// Git's answer is text here: a file with other bytes is left to a person.
function stagedLessons(changes: readonly PathChange[]): Pick<StagedFacts, 'onlyLessons'> {
  const { before = null, after = null } = promptFileChange(changes) ?? {}
  const read = (entry: PathChange['before']) => {
    const text = entry && tryAskGitSync({ args: ['cat-file', 'blob', entry.oid], parse: out => out })
    return text === null || text.includes('\uFFFD') ? null : Buffer.from(text)
  }
  const old = read(before)
  const current = read(after)
  return before !== null && old === null ? {} : lessonsFact(old, current)
}

type HandoverFacts = Promise<Pick<StagedFacts, 'handover' | 'roleBreaches'>>

// The files of a session are YAML and JSON with schemas.
async function stagedHandover(
  context: HookContext,
  place: Parameters<typeof gatherRoleFacts>[0],
  changes: readonly PathChange[],
): HandoverFacts {
  const { roleBreaches, taskLines } = gatherHere(gatherRoleFacts(place, changes))
  const ofSessions = changes.filter(it => sessionOfPath(it.path))
  if (ofSessions.length === 0) return { roleBreaches }
  const { problems, breaches } = await askYamlHelper(context, 'handover', { changes: ofSessions, taskLines })
  return { handover: problems, roleBreaches: [...roleBreaches, ...breaches] }
}

/** The classes of the staged changes whose behaviour the cited intents keep. The helper starts the parser. */
export async function stagedClasses(
  context: HookContext,
  facts: StagedFacts & Pick<CommitFacts, 'cited'>,
): Promise<Pick<CommitFacts, 'classes'>> {
  const held = pathsKeepingBehaviour(facts, sortChanges(facts))
  if (held.length === 0) return {}
  const changes = facts.changes.filter(it => held.includes(it.path))
  return { classes: await askYamlHelper(context, 'classify', changes) }
}

/** True when a person approved every staged change of a governance file on top of the current HEAD, or wrote it. */
export async function arePersons(context: HookContext, facts: StagedFacts): Promise<boolean> {
  const { agents, governanceByAgents = [] } = facts
  const changes = agents.length + governanceByAgents.length > 0 ? governanceFilesIn(facts) : []
  if (changes.length === 0) return false
  const approvals = gatherHere(gatherApprovals({ root: '', gitDir: context.gitDir }))
  const head = approvals.length === 0 ? null : tryAskGitSync(headOid)
  const others = approvals.length === 0 ? changes : changes.filter(it => !isApproved(it, head, approvals))
  return (
    others.length === 0 || (isPersonAtTerminal(context, facts) && (await askYamlHelper(context, 'approve-own', others)))
  )
}

function isPersonAtTerminal({ agentVariable }: HookContext, { byAgent }: Pick<StagedFacts, 'byAgent'>): boolean {
  return !byAgent && agentVariable === null && hasTerminal()
}

// What an agent leaves running behind a tool call has no terminal; an editor of a person has none either.
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/**
 * Who makes the commit: the session of the agent that started this process, in whatever worktree that is; else the one
 * that the environment names; else, in a program of an agent, the agents' sessions; else any live session may be meant.
 */
function committer(
  { session, agentVariable }: HookContext,
  sessions: CompiledPolicy['sessions'],
  above: AgentAbove | null,
): Committer {
  const named = sessions.filter(it => it.id === (above?.session ?? session))
  if (above !== null && named.length === 0)
    return { live: above.intent === null ? [] : [above.intent], byAgent: true, claimedByOthers: [] }
  const agents = (named.length > 0 ? named : agentVariable !== null ? sessions : []).filter(it => it.kind === 'agent')
  const own = agents.length > 0 ? agents : named.length > 0 ? named : sessions
  const live = sessionIntents(own)
  const others = sessions.filter(it => it.kind === 'agent' && !agents.includes(it))
  return { live, byAgent: agents.length > 0, claimedByOthers: sessionIntents(others).filter(it => !live.includes(it)) }
}

type Committer = Pick<StagedFacts, 'live' | 'byAgent' | 'claimedByOthers'>

/** With the intents of agents in other worktrees. They matter only to an agent whose message names another intent. */
async function withOtherWorktrees(
  context: HookContext,
  who: Committer,
  { policy, message }: Pick<StagedFacts, 'policy'> & { readonly message: string },
): Promise<Committer> {
  const isForeign = (id: string) => !who.live.includes(id) && message.includes(id)
  if (!who.byAgent || !policy.intents.some(it => isForeign(it.id))) return who
  const intents = await askYamlHelper(context, 'held-elsewhere', null)
  return { ...who, claimedByOthers: [...who.claimedByOthers, ...intents.filter(it => !who.live.includes(it))] }
}
