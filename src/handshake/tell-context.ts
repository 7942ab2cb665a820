import type { Reply } from '../agents/adapter.ts'
import { restingSection, unavailableSection } from '../context/section.ts'
import { promptSectionOf } from '../provenance/intent-context.ts'
import { toKotefError } from '../report/failure.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import type { Governed } from './governed.ts'
import { policyNow } from './policy-now.ts'
import { sessionNow } from './session-now.ts'

/** What the agent of a session is to know by now; where nobody can say, that, and why. */
export async function tellContext(place: Governed, session: string): Promise<Reply> {
  const text = await sectionFor(place, session).catch((thrown: unknown) =>
    unavailableSection(toKotefError(thrown).message),
  )
  return { kind: 'context', text }
}

async function sectionFor(place: Governed, id: string): Promise<string> {
  const { policy } = await policyNow(place)
  const { session, intent } = await sessionNow(place, id, policy)
  if (intent && intent.status !== 'IN_PROGRESS') return restingSection(intent)
  return promptSectionOf(await openWorkspace(place.root), session?.intent ?? null)
}
