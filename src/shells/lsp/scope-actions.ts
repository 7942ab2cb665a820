import type { CodeAction, Diagnostic } from 'vscode-languageserver/node'
import { isOpen } from '../../core/intents/lifecycle.ts'
import { intentsOwning } from '../../core/rules/commit-facts.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import { escapeInvisible } from '../../core/base/printable.ts'
import { currentSession } from './governed-state.ts'
import type { ServedFile } from './worktrees.ts'

/** The commands for `workspace/executeCommand`: each takes the URI of a file and the id of an intent. */
export const LSP_COMMANDS = ['kotef.requestScope', 'kotef.switchIntent', 'kotef.openIntent'] as const

export type LspCommand = (typeof LSP_COMMANDS)[number]

type ScopeProblem = { readonly uri: string; readonly diagnostic: Diagnostic; readonly quickFix: string }

/** The ways out of a diagnostic about a file outside of the scope. */
export function scopeActions({ worktree, path }: ServedFile, problem: ScopeProblem): CodeAction[] {
  const { uri, diagnostic, quickFix: kind } = problem
  const { policy, sessions } = worktree.state()
  const { intent } = currentSession(worktree.state())
  if (policy === null || intent === null || diagnostic.code !== 'in-scope') return []
  const judge = judgePath(policy)
  const selectable = policy.intents.filter(it => isOpen(it.status) && !it.chores)
  const others = intentsOwning(path, selectable, judge).filter(owner => !sessions.some(it => it.intent === owner.id))
  const action = (command: LspCommand, id: string, words: string): CodeAction => {
    const title = escapeInvisible(words).replace(/\s+/g, ' ')
    return { title, kind, diagnostics: [diagnostic], command: { title, command, arguments: [uri, id] } }
  }
  return [
    action('kotef.requestScope', intent.id, `Request ${path} for the scope of ${intent.id}`),
    ...others.map(({ id, name }) => action('kotef.switchIntent', id, `Switch to ${id}: ${name}`)),
    action('kotef.openIntent', intent.id, `Open ${intent.id} in the registry`),
  ]
}
