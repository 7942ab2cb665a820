import { blobOid } from '../../core/git/blob-oid.ts'
import type { GitQuery } from '../../core/git/query.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { unifiedDiff } from '../../core/git/diff/hunks.ts'
import { withFields, withoutLiveStatuses } from '../../core/intents/edit-yaml.ts'
import { type RegistryPart, registryParts } from '../../core/intents/registry-text.ts'
import { findIntent } from '../../core/intents/intent.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { type SeenLesson, widenedScopeLesson } from '../../core/lessons/automatic.ts'
import { recordSeen } from '../lessons/record-seen.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { AgentRequest } from '../../core/intents/request.ts'
import type { RequestAnswer } from '../../core/intents/request-answer.ts'
import { withLock } from '../io/files/lock.ts'
import type { LedgerEvent, PersonProof } from '../../core/ledger/event.ts'
import { KotefError } from '../../core/base/failure.ts'
import { deliverAnswer } from './answer-inbox.ts'
import { recordApproval } from './approve-staged.ts'
import { textsAtHead, readHead } from '../io/worktree/head.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { loadRegistry } from '../intents/policy/load-policy.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { editRegistry } from '../intents/registry/edit-registry.ts'
import { closeRequest, findPendingRequest } from './requests.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The effect of granting a request, as it is shown to a person. */
export type Proposal = {
  readonly request: AgentRequest
  /** The commit on which the change is based; null while HEAD is unborn. */
  readonly head: string | null
  /** The change of the registry; null for a permission in words, which changes no file. */
  readonly registry: ScopeWidening | null
}

type ScopeWidening = {
  readonly before: string
  readonly text: string
  readonly change: PathChange
  readonly diff: string
}

/** The way the answer was given. `command` is `--yes`: no question was shown, so a program may have answered. */
export type ApprovalVia = 'terminal' | 'command' | 'elicitation'

/** How an answer was given, and whether it is proved that a person gave it. */
export type GivenAnswer = { readonly via: ApprovalVia; readonly person: PersonProof }

/** The effect of granting a pending request. Throws, with the reason, when the request is no longer pending. */
export async function proposalFor(workspace: Workspace, id: string): Promise<Proposal> {
  const request = await findPendingRequest(workspace, id)
  const head = await readHead(workspace)
  return { request, head, registry: request.kind === 'scope' ? await proposeWidening(workspace, request) : null }
}

async function proposeWidening(workspace: Workspace, { intent: id, wants }: AgentRequest): Promise<ScopeWidening> {
  const { text: before, intents } = await loadRegistry(workspace)
  const owned_scope = [...new Set([...findIntent(intents, id).owned_scope, ...wants])]
  const text = withoutLiveStatuses(withFields(before, id, { owned_scope }))
  const { path, text: after } = changedPart(before, text)
  const [textAtHead] = await textsAtHead(workspace, [path])
  const entry = (await workspace.git.tryAsk(entryAtHead(path))) ?? null
  const change = { path, before: entry, after: { mode: entry?.mode ?? '100644', oid: blobOid(Buffer.from(after)) } }
  return { before, text, change, diff: unifiedDiff(path, textAtHead ?? '', after) }
}

// The file that has the intent. A request for what the scope has already changes none; then it is the list.
function changedPart(before: string, text: string): RegistryPart {
  const [list, ...files] = registryParts(text)
  const old = registryParts(before)
  const changed = files.find(it => !old.some(({ path, text }) => path === it.path && text === it.text))
  return changed ?? list ?? { path: REGISTRY_PATH, text }
}

function entryAtHead(path: string): GitQuery<PathChange['before']> {
  return {
    args: ['ls-tree', '-z', 'HEAD', '--', path],
    parse: out => {
      const [mode, , oid] = out.split(/[ \t]/)
      return mode && oid ? { mode, oid } : null
    },
  }
}

/** Grants a request with exactly the effect that was shown. Of several answers, the first counts. */
export async function grantRequest(
  workspace: Workspace,
  proposal: Proposal,
  { via, person }: GivenAnswer,
): Promise<RequestAnswer> {
  const { request, head, registry } = proposal
  const answer = await answerOnce(workspace, request, async () => {
    const granted = { event: 'granted', ...requestFields(request), via, person } as const
    if (registry === null) await appendRecords(workspace, [{ event: granted }])
    else {
      const edited = { event: 'intent-edited', intent: request.intent, fields: ['owned_scope'] } as const
      await replaceRegistry(workspace, registry, [granted, edited])
      // The person has seen the change, so the commit of it needs no second approval.
      await recordApproval(workspace, { head, changes: [registry.change], person })
    }
    return { verdict: 'granted', reason: null }
  })
  if (registry !== null) await recordSeen(workspace, async () => [lessonOfGrant(request, registry)])
  return answer
}

function lessonOfGrant({ intent, wants }: AgentRequest, { before }: ScopeWidening): SeenLesson | null {
  const { owned_scope: scope } = findIntent(readRegistry(before).intents, intent)
  return widenedScopeLesson({ intent, scope, wants })
}

/** Rejects a request, with a reason. */
export function rejectRequest(
  workspace: Workspace,
  request: AgentRequest,
  { reason, via, person }: GivenAnswer & { readonly reason: string },
): Promise<RequestAnswer> {
  return answerOnce(workspace, request, async () => {
    await appendRecords(workspace, [{ event: { event: 'rejected', ...requestFields(request), via, person, reason } }])
    return { verdict: 'rejected', reason }
  })
}

function requestFields({ id, session, intent, kind, wants }: AgentRequest) {
  return { request: id, session, intent, kind, wants }
}

type RequestVerdict = Pick<RequestAnswer, 'verdict' | 'reason'>

async function answerOnce(
  workspace: Workspace,
  { id }: AgentRequest,
  work: () => Promise<RequestVerdict>,
): Promise<RequestAnswer> {
  const answer = await withLock(ownPath(workspace, 'requests.lock'), async () => {
    const request = await findPendingRequest(workspace, id)
    const verdict = await work()
    const at = new Date(workspace.clock.now()).toISOString()
    const given = { ...requestFields(request), ...verdict, at }
    await deliverAnswer(workspace, given)
    await closeRequest(workspace, request, given)
    return given
  })
  await compilePolicy(workspace)
  return answer
}

async function replaceRegistry(
  workspace: Workspace,
  { before, text }: ScopeWidening,
  events: readonly LedgerEvent[],
): Promise<void> {
  await editRegistry(
    workspace,
    currentText => {
      // The person approved the shown change of the shown text, not a change of another text.
      if (currentText === before) return text
      throw new KotefError('request-over', `${REGISTRY_PATH} has changed since it was shown; nothing was granted.`, {
        hint: 'See the request again: `kotef approve --list`',
      })
    },
    () => events,
  )
}
