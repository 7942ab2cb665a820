import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { KotefError } from '../report/failure.ts'
import { POLICY_FILES, policyInHead, type State, STATE_VERSION, stampOf } from '../scope/state.ts'
import { runPackage } from './package.ts'
import { type Place, tryAsk } from './place.ts'

/** What holds now: the compiled state, made anew by the package when its sources have changed since. */
export function currentState(place: Place): State {
  const stamp = currentStamp()
  const state = readState(place)
  if (state?.stamp === stamp) return state
  runPackage(place, ['compile'])
  const renewed = readState(place)
  if (renewed) return renewed
  throw new KotefError('bundle-outdated', 'The installed hooks and the package do not understand each other.')
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
  try {
    const state = JSON.parse(readFileSync(join(compiled, 'state.json'), 'utf8')) as State
    return state.version === STATE_VERSION ? state : null
  } catch {
    return null
  }
}
