import { printable } from '../../base/printable.ts'
import type { RunEnd } from '../../runs/run-state.ts'
import { stoppedMessage } from '../../runs/run-text.ts'
import { constraintWords, type EnforcedConstraint } from '../../intents/contract/enforced-constraints.ts'
import { isOpen } from '../../intents/lifecycle.ts'
import type { Policy, PolicyIntent } from '../../intents/scope/policy.ts'

/** Why a call is denied, needs a person's yes, or is checked in the ledger afterwards. */
export type Reason = {
  readonly code:
    | 'intent-required'
    | 'claim-lost'
    | 'run-stopped'
    | 'scope-violation'
    | 'handover-role'
    | 'handover-contract'
    | 'governance-plane'
    | 'path-ignored'
    | 'path-forbidden'
    | 'constraint-path'
    | 'constraint-command'
    | 'path-malformed'
    | 'path-of-git'
    | 'path-outside'
    | 'path-in-worktree'
    | 'stale-file'
    | 'targets-unknown'
    | 'opaque-command'
    | 'interactive-shell'
    | 'governance-off'
    | 'orchestration-unavailable'
    | 'payload-unclear'
  readonly message: string
  readonly path: string | null
  readonly intent: string | null
  /** What the agent, or its user, can do instead. */
  readonly hint: string
}

/** Why nothing can be written before an intent is selected, in the fixed sentence of the handshake (FR-009). */
export const INTENT_REQUIRED_MESSAGE = 'You must cite a valid active Intent ID.'

/** No intent is selected, or the selected one is no longer open. */
export function intentRequired(intent: PolicyIntent | null, { intents }: Pick<Policy, 'intents'>): Reason {
  if (intent)
    return {
      ...pathlessReason('intent-required', `${INTENT_REQUIRED_MESSAGE} ${intent.id} is ${intent.status}.`),
      intent: intent.id,
      hint: 'Start a new session and select an open intent.',
    }
  const isAnyOpen = intents.some(it => isOpen(it.status))
  return pathlessReason('intent-required', INTENT_REQUIRED_MESSAGE, isAnyOpen ? SELECT_HINT : NONE_OPEN_HINT)
}

const NONE_OPEN_HINT =
  'No intent is open here. Ask the user to add one for this work: ' +
  "`kotef intent add --name 'what it is for' --scope 'src/**' --commit`"

// An agent with hooks selects by MCP alone: a command line has no proof of the session that it speaks for.
const ASK_FOR_SERVER = 'If you have no such tool, ask the user to connect the MCP server `kotef`.'
const SELECT_HINT =
  'Call `select_active_intent` with the ID of the intent that this work is for; `list_intents` names them. ' +
  ASK_FOR_SERVER

/** Another session has taken the intent over: without this check both would work on it. */
export function claimLost(intent: string, holder: string): Reason {
  const message = `${intent} was taken over by ${printable(holder)}: this session no longer works on it.`
  const hint = 'Call `list_intents`, and select one that no session holds; a person can give this one back.'
  return { ...pathlessReason('claim-lost', message, hint), intent }
}

/** The session's run was stopped, because it did not get on or broke a constraint. */
export function runStopped(end: RunEnd, intent: string): Reason {
  const hint =
    'Write nothing more: say what you tried and what blocks you. The next message of a person starts a new run.'
  return { ...pathlessReason('run-stopped', stoppedMessage(end), hint), intent }
}

/** The registry, policy, session, claim or ledger can't be read, so no call that writes is allowed. */
export function orchestrationUnavailable(why: string): Reason {
  const hint = 'Ask a person to repair it: `kotef doctor` prints what is wrong.'
  return pathlessReason('orchestration-unavailable', `orchestration unavailable: ${why}`, hint)
}

/** The payload of the agent's hook can't be decoded, so it is unknown what the agent is about to do. */
export function payloadUnclear(why: string): Reason {
  const hint = "Configure the hook as kotef's docs/agents.md describes; a person may have to update the agent or kotef."
  return pathlessReason('payload-unclear', `kotef can't decode the payload of the hook. ${why}`, hint)
}

/** The command would switch off a check of the repository. */
export function governanceOff(what: string): Reason {
  const hint =
    what === 'kotef intent start'
      ? `Select your intent with \`select_active_intent\`. ${ASK_FOR_SERVER}`
      : 'Continue without it; only a person may do this, at a terminal.'
  return pathlessReason('governance-off', `This would switch governance off: ${printable(what)}.`, hint)
}

/** The agent runs git without the hooks that judge this command. */
export function hooksOff(): Reason {
  const hint = 'Run it as `env -u GIT_CONFIG_COUNT -u GIT_CONFIG_GLOBAL git commit`, and any other git command alike.'
  return pathlessReason(
    'governance-off',
    "Gemini CLI switches git's hooks off for every command, but git must run them for this one.",
    hint,
  )
}

/** A tool that writes, but names no file. */
export function targetsUnknown(tool: string): Reason {
  const hint = 'Name the file to write, or use another tool.'
  return pathlessReason('targets-unknown', `kotef can't determine which files ${printable(tool)} would write.`, hint)
}

/** A tool that names more files than a hook can look at while the agent waits. */
export function tooManyTargets(tool: string, max: number): Reason {
  const hint = 'Write fewer files in one call.'
  return pathlessReason('targets-unknown', `${printable(tool)} names more than ${max} files.`, hint)
}

/** An interactive shell: what is typed into it later is not judged. */
export function interactiveShell(): Reason {
  const hint = 'Run each command by itself, with `bash -c` or as a script.'
  return pathlessReason('interactive-shell', "kotef can't judge the commands typed into an interactive shell.", hint)
}

/** A path that the session's role in a handover may not write. */
export function roleViolation(path: string, why: string): Reason {
  const hint = 'Hand this over to the agent whose work it is, or stay in the files of your role.'
  return { ...pathlessReason('handover-role', `${printable(path)} is not for this session: ${why}.`, hint), path }
}

/** A write after which a session of the handover would break its contract. */
export function contractViolation(path: string, problem: string): Reason {
  const hint = 'Write what the contract allows; `kotef handover status` shows what is next.'
  return { ...pathlessReason('handover-contract', `This breaks the handover contract: ${problem}`, hint), path }
}

/** A write that would end questions which the config reserves for a person. */
export function questionForPerson(path: string, ids: readonly string[], command: string): Reason {
  const message = `Only a person may end ${printable(ids.join(', '))} (\`handover.gates: person\`).`
  return { ...pathlessReason('handover-contract', message, `Ask a person to run, at a terminal: ${command}`), path }
}

/** A write, or a command, that a constraint of the contract forbids. */
export function constraintBroken(
  what: { readonly path: string } | { readonly command: string },
  by: EnforcedConstraint,
): Reason {
  const hint = 'Do without it. Whether the constraint is to change, a person decides.'
  const words = constraintWords(by)
  return 'path' in what
    ? {
        ...pathlessReason('constraint-path', `${printable(what.path)} may not be changed: ${words}`, hint),
        path: what.path,
      }
    : pathlessReason('constraint-command', `This would run ${printable(what.command)}: ${words}`, hint)
}

/** A command whose writes can't be determined from its text. */
export function opaqueCommand(why: string): Reason {
  const hint = 'kotef checks what it writes: a write outside the owned scope is a violation, and has to be undone.'
  return pathlessReason('opaque-command', `kotef can't determine what this would write: ${why}.`, hint)
}

/** The same reason for a write that has already happened. */
export function alreadyWritten(reason: Reason): Reason {
  // A command by which the session could undo it writes the path again, and is refused; but its own new file may go.
  const isScope = reason.code === 'scope-violation'
  const undo = isScope
    ? 'If you made the file, remove it with `rm`; else ask the user to undo it (`git restore -- <path>`).'
    : 'Ask the user to undo it (`git restore -- <path>`; `rm` if it is new).'
  const ask = isScope ? ' If the intent needs it, call `request_scope_expansion`.' : ''
  return { ...reason, hint: `The file is written, and recorded as yours. ${undo}${ask}` }
}

function pathlessReason(code: Reason['code'], message: string, hint = ''): Reason {
  return { code, message, path: null, intent: null, hint }
}
