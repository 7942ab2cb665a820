import type { Declaration } from '../code/symbols/declaration.ts'
import { printable } from '../base/printable.ts'

/** The declarations of a file as lines; or the one line that says why it has none. */
export function declarationLines({ path, declarations, reason }: FileDeclarations): string[] {
  if (declarations === null) return [`${printable(path)}: no declarations are known, because ${reason}.`]
  if (declarations.length === 0) return [`${printable(path)}: no declarations.`]
  return declarations.map(it => {
    const name = it.container === null ? it.name : `${it.container}.${it.name}`
    return `${printable(path)}:${it.startLine}-${it.endLine}  ${it.kind.padEnd(8)}  ${printable(name)}`
  })
}

type FileDeclarations = {
  readonly path: string
  readonly declarations: readonly Declaration[] | null
  readonly reason: string | null
}

/** Declarations as programs read them; an empty list where none are known. */
export function declarationJson(declarations: readonly Declaration[] | null) {
  return (declarations ?? []).map(({ name, kind, line, startLine, endLine, container }) => {
    return { name, kind, start_line: startLine, end_line: endLine, line, container }
  })
}
