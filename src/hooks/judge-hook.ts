import { toKotefError } from '../report/failure.ts'
import type { Finding } from '../report/finding.ts'
import { findingLines } from '../report/lines.ts'
import { isBeforeAdoption } from './adoption.ts'
import { commitMsg } from './commit-msg.ts'
import { hereAndNow } from './place.ts'
import { preCommit } from './pre-commit.ts'
import { prePush } from './pre-push.ts'
import { prepareCommitMsg } from './prepare-commit-msg.ts'
import { currentState } from './state.ts'

/** What a hook answers to git: an exit code, and the words of a refusal. */
export type HookAnswer = { readonly exit: number; readonly text: string }

/** Runs one hook the long way. Never throws: whatever goes wrong stops the commit, and says how to go on. */
export function judgeHook(hook: string, args: readonly string[]): HookAnswer {
  const act = ACTS[hook] ?? 'commit'
  try {
    if (hook === 'prepare-commit-msg') return prepared(args)
    const place = hereAndNow(hook)
    if (hook === 'pre-push') return answerTo(act, prePush(place, args))
    if (isBeforeAdoption()) return { exit: 0, text: '' }
    if (hook === 'commit-msg') return answerTo(act, commitMsg(place, args[0] ?? ''))
    const { state, remarks } = currentState(place)
    return withRemarks(remarks, answerTo(act, preCommit(place, state)))
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    return { exit: 1, text: `kotef: ${act} stopped, it can't be judged.\n${indented(message)}\n  ${hint}` }
  }
}

const ACTS: Readonly<Record<string, string>> = { 'pre-merge-commit': 'merge', 'pre-push': 'push' }

// Git can't be told to skip this hook, not even by --no-verify, so it must not stop anything: commit-msg will.
function prepared([file = '', source = '']: readonly string[]): HookAnswer {
  try {
    prepareCommitMsg(hereAndNow('prepare-commit-msg'), { file, source })
  } catch {
    // What went wrong here goes wrong in commit-msg as well, which says so.
  }
  return { exit: 0, text: '' }
}

const FINDINGS_MAX = 20

function answerTo(act: string, findings: readonly Finding[]): HookAnswer {
  if (findings.length === 0) return { exit: 0, text: '' }
  const stops = findings.some(it => it.level === 'block')
  const title = `kotef: ${act} ${stops ? 'stopped' : 'goes through for review'}`
  const [first = '', ...lines] = findingLines(title, findings).split('\n')
  const more = findings.length - FINDINGS_MAX
  // Each finding has a line of its own and one for the way out.
  const cut = more > 0 ? [...lines.slice(0, FINDINGS_MAX * 2), `  … and ${more} more`] : lines
  return { exit: stops ? 1 : 0, text: [first, ...cut].join('\n') }
}

function withRemarks(remarks: readonly string[], { exit, text }: HookAnswer): HookAnswer {
  const lines = remarks.map(it => `kotef: ${it}`)
  return { exit, text: [...lines, text].filter(it => it !== '').join('\n') }
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ')
}
