import { join } from 'node:path'
import { headOid } from '../diff/head-oid.ts'
import { blobOid } from '../diff/blob.ts'
import type { GitQuery } from '../diff/query.ts'
import type { Change } from '../diff/staged.ts'
import { unifiedDiff } from '../diff/unified.ts'
import { withFields } from '../intents/edit.ts'
import { intentNamed } from '../intents/find.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import type { Request } from '../intents/request.ts'
import type { RequestAnswer } from '../intents/request-answer.ts'
import { withLock } from '../io/lock.ts'
import type { LedgerEvent } from '../ledger/event.ts'
import { KotefError } from '../report/failure.ts'
import { leaveAnswer } from './answers.ts'
import { approve } from './approval.ts'
import { committedTexts } from './committed.ts'
import { compile } from './compile.ts'
import { loadRegistry } from './policy.ts'
import { record } from './record.ts'
import { editRegistry } from './registry-edit.ts'
import { closeRequest, waitingRequest } from './requests.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** What granting a request would do, just as a person is shown it. */
export type Proposal = {
  readonly request: Request
  /** The commit that the change comes on top of; null while HEAD is unborn. */
  readonly head: string | null
  /** The registry before and after, and the change of it that would be committed; null for leave given in words. */
  readonly registry: Widening | null
}

type Widening = {
  readonly before: string
  readonly text: string
  readonly change: Change
  readonly diff: string
}

/** How a person was asked; `command` is `--yes`, where nobody was, and a program may have said it. */
export type Via = 'terminal' | 'command' | 'elicitation'

/** What granting a request would do. Refused, with why, when it does not wait any more. */
export async function proposalFor(workspace: Workspace, id: string): Promise<Proposal> {
  const request = await waitingRequest(workspace, id)
  const head = await workspace.git.tryAsk(headOid)
  return { request, head, registry: request.kind === 'scope' ? await widened(workspace, request) : null }
}

async function widened(workspace: Workspace, { intent: id, wants }: Request): Promise<Widening> {
  const { text: before, intents } = await loadRegistry(workspace)
  const owned_scope = [...new Set([...intentNamed(intents, id).owned_scope, ...wants])]
  const at = new Date(workspace.clock.now()).toISOString()
  const text = withFields(before, id, { fields: { owned_scope }, at })
  const [committed] = await committedTexts(workspace, [REGISTRY_PATH])
  const entry = (await workspace.git.tryAsk(registryAtHead)) ?? null
  const after = { mode: entry?.mode ?? '100644', oid: blobOid(Buffer.from(text)) }
  const change = { path: REGISTRY_PATH, before: entry, after }
  return { before, text, change, diff: unifiedDiff(REGISTRY_PATH, committed ?? '', text) }
}

const registryAtHead: GitQuery<Change['before']> = {
  args: ['ls-tree', '-z', 'HEAD', '--', REGISTRY_PATH],
  parse: out => {
    const [mode, , oid] = out.split(/[ \t]/)
    return mode && oid ? { mode, oid } : null
  },
}

/** Grants a request, just as it was shown; of several who answer one, the first does. */
export function grant(workspace: Workspace, proposal: Proposal, via: Via): Promise<RequestAnswer> {
  const { request, head, registry } = proposal
  return answerOnce(workspace, request, async () => {
    const granted = { event: 'granted', ...about(request), via } as const
    if (registry === null) await record(workspace, [{ event: granted }])
    else {
      const edited = { event: 'intent-edited', intent: request.intent, fields: ['owned_scope'] } as const
      await replaceRegistry(workspace, registry, [granted, edited])
      // Who has looked at the change has approved it for the commit as well.
      await approve(workspace, { head, changes: [registry.change] })
    }
    return { verdict: 'granted', reason: null }
  })
}

/** Refuses a request, and says why. */
export function reject(
  workspace: Workspace,
  request: Request,
  { reason, via }: { readonly reason: string; readonly via: Via },
): Promise<RequestAnswer> {
  return answerOnce(workspace, request, async () => {
    await record(workspace, [{ event: { event: 'rejected', ...about(request), via, reason } }])
    return { verdict: 'rejected', reason }
  })
}

function about({ id, session, intent, kind, wants }: Request) {
  return { request: id, session, intent, kind, wants }
}

type Verdict = Pick<RequestAnswer, 'verdict' | 'reason'>

async function answerOnce(workspace: Workspace, { id }: Request, work: () => Promise<Verdict>): Promise<RequestAnswer> {
  const answer = await withLock(join(placesOf(workspace).own, 'requests.lock'), async () => {
    const request = await waitingRequest(workspace, id)
    const verdict = await work()
    const at = new Date(workspace.clock.now()).toISOString()
    const given = { ...about(request), ...verdict, at }
    await leaveAnswer(workspace, given)
    await closeRequest(workspace, request, given)
    return given
  })
  await compile(workspace)
  return answer
}

async function replaceRegistry(
  workspace: Workspace,
  { before, text }: Widening,
  news: readonly LedgerEvent[],
): Promise<void> {
  await editRegistry(
    workspace,
    now => {
      // Who has looked at one change has not looked at another.
      if (now === before) return text
      throw new KotefError('request-over', `${REGISTRY_PATH} has changed since it was shown; nothing was granted.`, {
        hint: 'Look at it again: `kotef approve --list`',
      })
    },
    () => news,
  )
}
