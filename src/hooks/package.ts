import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FailureCode, KotefError } from '../report/failure.ts'
import type { Place } from './place.ts'

/** Asks the installed package for what takes YAML to answer; what it prints. Its failure is ours. */
export function runPackage(place: Place, words: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, [mainOf(place), ...words, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (status === 0) return stdout
  const failure = failureIn(stdout)
  if (!failure) throw new KotefError('package-missing', `kotef ${words.join(' ')} ended with ${status ?? 'no answer'}.`)
  throw new KotefError(failure.code, failure.message, { hint: failure.hint })
}

function mainOf({ shared }: Place): string {
  const places = [recorded(join(shared, 'main')), join(process.cwd(), 'node_modules/kotef-watch/dist/main.js')]
  const found = places.find(it => it !== '' && existsSync(it))
  if (found) return found
  throw new KotefError('package-missing', `The kotef-watch package is not where it was installed (${places[0]}).`)
}

function recorded(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : ''
}

function failureIn(stdout: string): { code: FailureCode; message: string; hint: string } | null {
  try {
    return (JSON.parse(stdout) as { error: { code: FailureCode; message: string; hint: string } }).error ?? null
  } catch {
    return null
  }
}
