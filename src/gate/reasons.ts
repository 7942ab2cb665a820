import { printable } from '../text/printable.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import type { Reason } from './reason.ts'

/** No intent is selected, or the selected one is no longer worked on. */
export function intentRequired(intent: PolicyIntent | null): Reason {
  const rule = 'You must cite a valid active Intent ID.'
  return intent
    ? {
        ...pathlessReason('intent-required', `${rule} ${intent.id} is ${intent.status}.`),
        ...{ intent: intent.id, hint: 'Start a new session and select an intent that is in progress.' },
      }
    : pathlessReason(
        'intent-required',
        rule,
        'Call `select_active_intent` with the ID of the intent that this work is for; `list_intents` names them.',
      )
}

/** Another session has taken the intent over: two would work on it, and neither know of the other. */
export function claimLost(intent: string, holder: string): Reason {
  const message = `${intent} was taken over by ${printable(holder)}: this session no longer works on it.`
  const hint = 'Call `list_intents`, and select one that nobody holds; a person may give this one back.'
  return { ...pathlessReason('claim-lost', message, hint), intent }
}

/** What the gate would judge by can't be read, so nothing is allowed that writes. */
export function orchestrationUnavailable(why: string): Reason {
  const hint = 'Ask a person to mend it: `kotef doctor` says what is wrong.'
  return pathlessReason('orchestration-unavailable', `orchestration unavailable: ${why}`, hint)
}

/** What the agent's hook was told can't be understood, so nobody can say what is about to happen. */
export function payloadUnclear(why: string): Reason {
  const hint =
    'Run the hook as docs/agents.md of kotef says; a person may have to align the versions of agent and kotef.'
  return pathlessReason('payload-unclear', `The payload is not understood. ${why}`, hint)
}

/** The command would switch off what watches over the repository. */
export function governanceOff(what: string): Reason {
  const hint = 'Go on without it; only a person may do this, at a terminal.'
  return pathlessReason('governance-off', `This would switch governance off: ${printable(what)}.`, hint)
}

/** The agent has git run without its hooks, which are to judge this. */
export function hooksOff(): Reason {
  const hint = 'Put `env -u GIT_CONFIG_COUNT` before it, as in `env -u GIT_CONFIG_COUNT git commit`.'
  return pathlessReason(
    'governance-off',
    "Gemini CLI switches git's hooks off for every command, and this has to pass them.",
    hint,
  )
}

/** A tool that writes, and doesn't say what. */
export function targetsUnknown(tool: string): Reason {
  const hint = 'Name the file that is to be written, or use another tool.'
  return pathlessReason('targets-unknown', `It can't be told which files ${printable(tool)} would write.`, hint)
}

/** A shell that waits for words, into which more can be typed than was judged. */
export function interactiveShell(): Reason {
  const hint = 'Run each command by itself, as `bash -c` or as a script.'
  return pathlessReason('interactive-shell', "What is typed into an interactive shell can't be judged.", hint)
}

/** A command whose writes can't be read off it. */
export function opaqueCommand(why: string): Reason {
  const hint = 'What it writes is watched: a write outside of the owned scope is a violation, and has to be undone.'
  return pathlessReason('opaque-command', `It can't be told what this would write: ${why}.`, hint)
}

/** What a call has written although it may not. */
export function alreadyWritten(broken: Reason): Reason {
  const hint = 'It is written, and recorded as yours: take it back now (what git tracks with `git restore -- <path>`).'
  const ask = broken.code === 'scope-violation' ? ' If the intent needs it, call `request_scope_expansion`.' : ''
  return { ...broken, hint: `${hint}${ask}` }
}

function pathlessReason(code: Reason['code'], message: string, hint = ''): Reason {
  return { code, message, path: null, intent: null, hint }
}
