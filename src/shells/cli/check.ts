import { allPassed } from '../../core/intents/contract/check-result.ts'
import { findIntent } from '../../core/intents/intent.ts'
import { intentWithTicket } from '../../world/intents/registry/intent-ticket.ts'
import { loadRegistry } from '../../world/intents/policy/load-policy.ts'
import { attestedNow } from '../../world/checks/attestations.ts'
import { type TreeCheck, runChecks } from '../../world/checks/run-checks.ts'
import { checkLines } from '../../core/report/check-lines.ts'
import { escapeForTerminal } from '../../core/base/printable.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { intentInQuestion } from './intent-in-question.ts'
import type { RunVerb, VerbCall } from './verb.ts'

/** `kotef check`: runs an intent's checks on the files as they stand, and says which ones pass. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intents } = await loadRegistry(workspace)
  const declared = findIntent(intents, await intentInQuestion(call, workspace, 'check'))
  const { id, acceptance_criteria } = await intentWithTicket(workspace, declared)
  const commands = acceptance_criteria.filter(it => typeof it !== 'string')
  const manual = acceptance_criteria.filter(it => typeof it === 'string')
  const { ended, ...output } = outputTo(call)
  const terms = { intent: id, env: call.env, passesSince: call.options['cache'] === false ? Infinity : 0, ...output }
  const results: TreeCheck[] = []
  for await (const it of runChecks(workspace, commands, terms)) {
    ended()
    results.push(it)
  }
  const passed = allPassed(results)
  const { criteria: attested } = await attestedNow(workspace, { intent: id, criteria: manual }, call.env)
  const json = { intent: id, passed, checks: results, manual, attested }
  return { text: checkLines({ ...json, results }).join('\n'), json, exit: passed ? 0 : 1 }
}

// A program that reads JSON wants no other output, a person sees that the checks go on.
function outputTo({ notify, options }: VerbCall) {
  if (options['json']) return { running: () => {}, ended: () => {} }
  let line = ''
  const printLine = (text: string): void => notify(`  ${escapeForTerminal(text.slice(0, LINE_CHARS_MAX))}`)
  return {
    running: (command: string): void => notify(`$ ${escapeForTerminal(command)}`),
    printed: (text: string): void => {
      const lines = `${line}${text}`.split('\n')
      line = (lines.pop() ?? '').slice(-LINE_CHARS_MAX)
      lines.forEach(printLine)
    },
    // What a check prints last may have no line end.
    ended: (): void => {
      if (line !== '') printLine(line)
      line = ''
    },
  }
}

const LINE_CHARS_MAX = 1_000
