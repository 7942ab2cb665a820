import { printable } from '../report/printable.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import type { Reason } from './reason.ts'

/** No intent is selected, or the selected one is no longer worked on. */
export function intentRequired(intent: PolicyIntent | null): Reason {
  const mandate = 'You must cite a valid active Intent ID.'
  return intent
    ? {
        ...reason('intent-required', `${mandate} ${intent.id} is ${intent.status}.`),
        ...{ intent: intent.id, hint: 'Start a new session and select an intent that is in progress.' },
      }
    : reason(
        'intent-required',
        mandate,
        'Call `select_active_intent` with the ID of the intent that this work is for; `list_intents` names them.',
      )
}

/** What the gate would judge by can't be read, so nothing is allowed that writes. */
export function unavailable(why: string): Reason {
  const hint = 'Ask a person to mend it: `kotef doctor` says what is wrong.'
  return reason('orchestration-unavailable', `orchestration unavailable: ${why}`, hint)
}

/** The command would switch off what watches over the repository. */
export function governanceOff(what: string): Reason {
  const hint = 'Go on without it; only a person may do this, at a terminal.'
  return reason('governance-off', `This would switch governance off: ${printable(what)}.`, hint)
}

/** A tool that writes, and doesn't say what. */
export function targetsUnknown(tool: string): Reason {
  const hint = 'Name the file that is to be written, or use another tool.'
  return reason('targets-unknown', `It can't be told which files ${printable(tool)} would write.`, hint)
}

/** A shell that waits for words, into which more can be typed than was judged. */
export function interactive(): Reason {
  const hint = 'Run each command by itself, as `bash -c` or as a script.'
  return reason('interactive-shell', "What is typed into an interactive shell can't be judged.", hint)
}

/** A command whose writes can't be read off it. */
export function opaque(why: string): Reason {
  const hint = 'What it writes is watched: a write outside of the owned scope is a violation, and has to be undone.'
  return reason('opaque-command', `It can't be told what this would write: ${why}.`, hint)
}

function reason(code: Reason['code'], message: string, hint = ''): Reason {
  return { code, message, path: null, intent: null, hint }
}
