import { readFileSync } from 'node:fs'
import type { Finding } from '../report/finding.ts'
import { askPolicy } from './ask-policy.ts'
import type { Place } from './place.ts'

/** Judges the commits that a push brings: git tells of the remote in the arguments, and of the references on stdin. */
export function prePush(place: Place, [remote = '', url = '']: readonly string[]): Finding[] {
  return askPolicy<{ findings: Finding[] }>(place, ['judge-push', remote, url], readFileSync(0, 'utf8')).findings
}
