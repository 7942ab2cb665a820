import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { KotefError } from '../report/failure.ts'
import { POLICY_FILES, policyInHead, type State, STATE_VERSION, stampOf } from '../scope/state.ts'
import { VERSION } from '../package.ts'
import { activeOf } from './active.ts'
import { askPolicy } from './ask-policy.ts'
import { type Place, tryAsk } from './place.ts'

/** What holds now, and what there is to say about how it was found. */
export type Current = { readonly state: State; readonly remarks: readonly string[] }

/** The compiled state; made anew when its sources have changed since, or when it is not as it was made. */
export function currentState(place: Place): Current {
  const stamp = currentStamp()
  const found = readState(place)
  const active = activeOf(place)
  const remarks = [...active.flaws, ...skewOf(found)]
  if (found?.stamp === stamp && remarks.length === 0 && !active.isStale) return { state: found, remarks }
  askPolicy(place, ['compile'])
  const state = readState(place)
  if (state?.version === STATE_VERSION) return { state, remarks }
  throw new KotefError('hooks-damaged', 'What was compiled for the hooks can not be read.')
}

function skewOf(found: State | null): string[] {
  if (!found || (found.version === STATE_VERSION && found.kotef === VERSION)) return []
  const by = `kotef ${found.kotef ?? 'of an earlier version'}`
  return [
    `the policy was compiled by ${by}, the hooks are of ${VERSION}: compiled anew. Align them: \`npx kotef init\``,
  ]
}

function currentStamp(): string {
  return stampOf(POLICY_FILES.map(contentOf), tryAsk(policyInHead) ?? '')
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function readState({ compiled }: Place): State | null {
  const path = join(compiled, 'state.json')
  try {
    // What is no file may have no end, or wait for somebody to write.
    return statSync(path).isFile() ? (JSON.parse(readFileSync(path, 'utf8')) as State) : null
  } catch {
    return null
  }
}
