import type { SyntaxNode } from './syntax-node.ts'

/** What a declaration is. */
export type DeclarationKind = 'function' | 'class' | 'method' | 'type' | 'constant' | 'module'

/**
 * A function, class, method, type, module or constant of a file. Lines count from 1; `startLine` is that of its first
 * decorator, attribute or `export`, `line` that of its name, and `endLine` its last. `container` is the name of the
 * declaration around it, or of the type to which it belongs elsewhere; or null.
 */
export type Declaration = {
  readonly name: string
  readonly kind: DeclarationKind
  readonly line: number
  readonly startLine: number
  readonly endLine: number
  readonly container: string | null
}

/** Where a node stands: the text of the file, and the nodes around it, the parent last. */
export type Place = { readonly text: string; readonly ancestors: readonly SyntaxNode[] }

/**
 * What a node declares: the nodes of its names, and the kind; null where it declares nothing. `owner` is the name of
 * the type to which it belongs, where that is not around it.
 */
export type Declares = (
  node: SyntaxNode,
  place: Place,
) => { kind: DeclarationKind; names: readonly SyntaxNode[]; owner?: SyntaxNode | null } | null

/** How the declarations of a language are found: a function for each type of node that may be one. */
export type DeclarationRules = {
  readonly declares: Readonly<Record<string, Declares>>
  /** Nodes that belong to the declaration in them, such as `export` or `template<>`. */
  readonly wrappers: readonly string[]
  /** Nodes that declare nothing themselves, with the name of the type to which their declarations belong. */
  readonly owners?: Readonly<Record<string, (node: SyntaxNode) => SyntaxNode | null>>
  /** Siblings before a declaration that belong to it, such as attributes. */
  readonly prefixes: readonly string[]
}

/** A node of this kind whose name has the field `name`. */
export function named(kind: DeclarationKind): Declares {
  return node => ({ kind, names: node.children.filter(it => it.field === 'name' && it.isNamed) })
}

/** A function, or a method where a node of one of these types is the nearest but one around it. */
export function functionOrMethod(...containers: readonly string[]): Declares {
  return (node, { ancestors }) => {
    const around = ancestors.slice(-3).map(it => it.type)
    return {
      ...named(containers.some(it => around.includes(it)) ? 'method' : 'function')(node, { text: '', ancestors })!,
    }
  }
}
