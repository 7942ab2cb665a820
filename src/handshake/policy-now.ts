import { join } from 'node:path'
import { readPrivate } from '../io/private-file.ts'
import { VERSION } from '../package.ts'
import { POLICY_FILES, type State, stampOf, stateIn } from '../scope/state.ts'
import type { Governed } from './governed.ts'

/** What calls are judged by now. */
export type PolicyNow = Pick<State, 'policy' | 'opaqueCommands' | 'claims'>

/** As it was compiled, while nothing that it was made of has changed; else as it is read anew, which takes its time. */
export async function policyNow(place: Governed): Promise<PolicyNow> {
  const stamp = await stampNow(place)
  const state = stateIn(readPrivate(join(place.gitDir, 'kotef/compiled/state.json')))
  if (stamp !== null && state?.stamp === stamp && state.kotef === VERSION) return state
  const { readPolicy } = await import('./read-policy.ts')
  return readPolicy(place.root)
}

/** Null where something that would count can't be read. */
async function stampNow({ root, files, inHead }: Governed): Promise<string | null> {
  try {
    return stampOf(await Promise.all(POLICY_FILES.map(it => files.read(join(root, it)))), inHead)
  } catch {
    return null
  }
}
