import type { OwnedDeclaration } from './own-lines.ts'
import type { Touch } from './touched-lines.ts'

/** A live session, and the worktree in which it works. */
export type SessionPlace = {
  readonly session: string
  readonly intent: string
  /** The agent's name; null for a person. */
  readonly agent: string | null
  readonly worktree: string
}

/** A declaration that two live sessions of different intents have changed, and not committed. */
export type DeclarationConflict = {
  readonly path: string
  readonly kind: string
  readonly name: string
  readonly mine: SessionPlace
  readonly other: SessionPlace
}

/** What a session has changed in a file: its declarations by kind and name. */
export type SessionChange = {
  readonly by: SessionPlace
  readonly path: string
  readonly declarations: readonly string[]
}

/** The declarations that touches are in, each as its kind and its name. */
export function touchedDeclarations(declarations: readonly OwnedDeclaration[], touches: readonly Touch[]): string[] {
  const written = touches.filter(it => !it.isInside)
  const direct = declarations.filter(({ lines }) =>
    lines.some(line => written.some(it => it.first <= line && line <= it.last)),
  )
  const around = touches.filter(it => it.isInside).flatMap(it => innermostAround(declarations, it) ?? [])
  return [...new Set([...direct, ...around].map(it => `${it.declaration.kind} ${it.qualified}`))].sort()
}

function innermostAround(declarations: readonly OwnedDeclaration[], { first, last }: Touch): OwnedDeclaration | null {
  const around = declarations.filter(({ declaration: it }) => it.startLine <= first && last <= it.endLine)
  const sizeOf = ({ declaration: it }: OwnedDeclaration) => it.endLine - it.startLine
  return around.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ?? null
}

/** The conflicts of some sessions' files with those of sessions of other intents, in a stable order. */
export function conflictsBetween(
  mine: readonly SessionChange[],
  others: readonly SessionChange[],
): DeclarationConflict[] {
  return mine.flatMap(own =>
    others
      .filter(it => it.path === own.path && it.by.intent !== own.by.intent)
      .flatMap(other => sharedBy(own, other))
      .sort((a, b) => (conflictKey(a) < conflictKey(b) ? -1 : 1)),
  )
}

function sharedBy(own: SessionChange, other: SessionChange): DeclarationConflict[] {
  const shared = own.declarations.filter(it => other.declarations.includes(it))
  return shared.map(it => {
    const [, kind = '', name = ''] = /^(\S+) ([^]*)$/.exec(it) ?? []
    return { path: own.path, kind, name, mine: own.by, other: other.by }
  })
}

/** What makes two conflicts one. */
export function conflictKey({ path, kind, name, other }: DeclarationConflict): string {
  return JSON.stringify([path, name, kind, other.intent, other.session, other.worktree])
}
