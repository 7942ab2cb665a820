import { toKotefError } from '../../core/base/failure.ts'
import { withTypedName } from '../../core/base/kotef-command.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import { escapeForTerminal } from '../../core/base/printable.ts'
import type { Client } from './host.ts'

/** What the server shows to the person at the client. */
export type Messages = {
  readonly inform: (text: string) => void
  /** Shows a failure, with its way out. */
  readonly fail: (thrown: unknown) => void
  /** Writes a failure into the client's log: the answer to its question is empty. */
  readonly log: (thrown: unknown) => void
}

// The protocol's numbers for the kinds of messages.
const KINDS = { error: 1, info: 3 } as const

/** The messages to one client. */
export function messagesTo({ connection }: Client): Messages {
  const send = (method: string, type: number, message: string): void => {
    // The client may be gone.
    connection.sendNotification(method, { type, message: escapeForTerminal(message) }).catch(() => {})
  }
  return {
    inform: text => send('window/showMessage', KINDS.info, `kotef: ${text}`),
    fail: thrown => send('window/showMessage', KINDS.error, failureText(thrown)),
    log: thrown => send('window/logMessage', KINDS.error, failureText(thrown)),
  }
}

function failureText(thrown: unknown): string {
  const { message, hint } = toKotefError(thrown)
  return `kotef: ${message}\n${withTypedName(hint, typedName(process.env))}`
}
