import type { JSX } from 'preact'
import { pastedCommand } from '../../../core/base/kotef-command.ts'
import { escapeInvisible } from '../../../core/base/printable.ts'
import { LivePages } from './frame-context.ts'

/** A command to paste, in a block of its own: a click selects all of it, and a script adds a button that copies it. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  const command = escapeInvisible(pastedCommand(text))
  return (
    <div class="command">
      <TypedCommand command={command} />
      <LivePages.Consumer>
        {(isLive: boolean) =>
          isLive && (
            <button type="button" class="copy" data-copy={command} aria-label={`Copy ${command}`}>
              Copy
            </button>
          )
        }
      </LivePages.Consumer>
    </div>
  )
}

/** A sentence of kotef's own; each command that it has in backticks can be pasted. */
export function HintText({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {text
        .split('`')
        .map((it, n) =>
          n % 2 === 1 ? <TypedCommand command={escapeInvisible(pastedCommand(it))} /> : escapeInvisible(it),
        )}
    </>
  )
}

// A browser breaks a line at any hyphen, and a command only between its words.
function TypedCommand({ command }: { readonly command: string }): JSX.Element {
  return (
    <code class="typed">
      {command.split(' ').map((word, n) => (
        <>
          {n > 0 && ' '}
          <span>{word}</span>
        </>
      ))}
    </code>
  )
}
