import { KOTEF_ANYWHERE } from '../base/kotef-command.ts'
import { escapeInvisible, plural } from '../base/printable.ts'
import type { OpenCheck } from './stop-request.ts'
import type { RunDecision, RunEnd } from './run-state.ts'

/** What an agent reads when its run should change course, or has ended. */
export function decisionText({ status, rule, evidence }: RunDecision, intent: string): string {
  const seen = `${escapeInvisible(evidence ?? '')} (rule \`${rule}\`).`
  return WORDS[status](seen, intent)
}

const WORDS: Readonly<Record<RunDecision['status'], (seen: string, intent: string) => string>> = {
  running: () => '',
  warn: seen => `kotef warns: ${seen} Try another way, or say what blocks you: the run is stopped if this goes on.`,
  done_success: (seen, intent) => `kotef: ${intent} is done. ${seen} Stop here, without polishing; commit if asked to.`,
  done_partial: (seen, intent) => `kotef: the checks of ${intent} pass. ${seen} Stop here, and say what remains.`,
  aborted_stuck: seen => stoppedText('aborted_stuck', seen),
  aborted_constraint: seen => stoppedText('aborted_constraint', seen),
}

function stoppedText(status: string, seen: string): string {
  const wayOut = "Say what you tried and what blocks you: a person's next message starts a new run."
  return `kotef stopped this run, ${status}: ${seen} Write nothing more. ${wayOut}`
}

/** The same as the reason of a refused call. */
export function stoppedMessage({ status, rule, evidence }: RunEnd): string {
  return `This run has ended, ${status}: ${evidence} (rule \`${rule}\`).`
}

/** What an agent reads that would stop before its checks pass. */
export function heldText(intent: string, open: readonly OpenCheck[]): string {
  const lines = open.slice(0, CHECKS_SHOWN).map(it => `- \`${escapeInvisible(it.command)}\`: ${WHY[it.why]}`)
  const more = open.length > CHECKS_SHOWN ? [`- and ${plural(open.length - CHECKS_SHOWN, 'more check')}`] : []
  return [
    `${intent} is not done on the files as they are:`,
    ...lines,
    ...more,
    // An agent's shell may not find kotef on its PATH.
    `Run \`${KOTEF_ANYWHERE} check ${intent}\`, and mend what fails.` +
      ' If you need a person, say what for, and stop again.',
  ].join('\n')
}

const CHECKS_SHOWN = 10
const WHY: Readonly<Record<OpenCheck['why'], string>> = {
  'not run': 'has not run on these files',
  failed: 'failed',
  timeout: 'ran into its time limit',
  error: 'could not be run',
}
