import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync, type Program, Visitor, type VisitorObject } from 'oxc-parser'

/** One file of the repository, parsed: what the style guide is asked about. */
export type Source = {
  /** Relative to the repository, such as `src/world/io/git/git.ts`. */
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly imports: readonly Import[]
  readonly comments: readonly { readonly start: number; readonly end: number }[]
}

export type Import = {
  /** What stands in the quotes. */
  readonly from: string
  readonly names: readonly string[]
  /** False for `import type`: such an import is gone when the program runs. */
  readonly runs: boolean
}

/** Parses one file. */
export function sourceOf(path: string, text: string): Source {
  const { program, module, comments, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const fixed = module.staticImports.map(({ moduleRequest, entries }) => ({
    from: moduleRequest.value,
    names: entries.map(it => it.importName.name ?? it.importName.kind),
    runs: entries.length === 0 || entries.some(it => !it.isType),
  }))
  // What is imported by a name that only shows when it runs is left out.
  const said = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end))
  const late = said.flatMap(it => (/^['"]/.test(it) ? [{ from: it.slice(1, -1), names: [], runs: true }] : []))
  return { path, text, program, comments, imports: [...fixed, ...late] }
}

/** Calls back for each node of the kinds that are named. */
export function visit({ program }: Source, kinds: VisitorObject): void {
  new Visitor(kinds).visit(program)
}

/** The line on which a position of the text lies, from 1. */
export function lineOf({ text }: Source, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** Every file below a folder of the repository whose name ends in one of these ways. */
export function filesBelow(root: string, folder: string, ...endings: readonly string[]): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(it => it.isFile() && endings.some(ending => it.name.endsWith(ending)))
    .map(it => relative(root, join(it.parentPath, it.name)))
    .sort()
}

/** Every TypeScript file below these folders, parsed. */
export function sourcesBelow(root: string, folders: readonly string[]): Source[] {
  return folders
    .flatMap(folder => filesBelow(root, folder, '.ts', '.tsx'))
    .map(path => sourceOf(path, readFileSync(join(root, path), 'utf8')))
}
