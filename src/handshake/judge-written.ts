import type { Reply } from '../agents/adapter.ts'
import type { Window } from '../attribution/window.ts'
import { denialText } from '../gate/denial.ts'
import { judgeTarget } from '../gate/judge-target.ts'
import type { Reason } from '../gate/reason.ts'
import { written } from '../gate/words.ts'
import { sessionIn } from '../ledger/session-url.ts'
import { judgePath } from '../scope/judge-path.ts'
import { askLedger } from '../workspace/ask-ledger.ts'
import { see } from '../workspace/seen.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Governed } from './governed.ts'
import { policyNow } from './policy-now.ts'
import { sessionNow } from './session-now.ts'

type Wrote = { readonly session: string; readonly window: Window }

/**
 * Judges what a session wrote while a window was open, going by what is recorded: what it may not write is told at
 * once. What it wrote, it has to read again before it edits that.
 */
export async function judgeWritten(place: Governed, { session, window }: Wrote): Promise<Reply> {
  const paths = await pathsOf(place, { session, window })
  const forgotten = paths.map(it => [it, undefined] as const)
  await see(place, session, forgotten)
  const { policy } = await policyNow(place)
  const { intent } = await sessionNow(place, session, policy)
  if (!intent || paths.length === 0) return { kind: 'silence' }
  const ground = { intent, judge: judgePath(policy), seen: new Map<string, string | null>() }
  const broken = paths.flatMap((path): Reason[] =>
    judgeTarget({ given: path, places: [{ kind: 'inside', path }], now: null }, ground),
  )
  return broken.length === 0 ? { kind: 'silence' } : { kind: 'deny', text: denialText(broken.map(written)) }
}

async function pathsOf({ root }: Governed, { session, window }: Wrote): Promise<string[]> {
  const since = Math.floor(window.openedAt)
  const { records } = await askLedger(await openWorkspace(root), { wanted: { session, since }, limit: null })
  const files = records.flatMap(it => (it.metadata['dev.kotef'].event === 'write' ? it.files : []))
  const own = files.filter(it => it.conversations.some(({ url }) => sessionIn(url) === session))
  return [...new Set(own.flatMap(({ path, kotef: { from } }) => (from === undefined ? [path] : [from, path])))]
}
