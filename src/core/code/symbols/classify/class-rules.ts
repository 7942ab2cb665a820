import type { SyntaxNode } from '../syntax-node.ts'

/** A node with its place in the tree. */
export type NodePlace = { readonly node: SyntaxNode; readonly parent: SyntaxNode | null; readonly text: string }

/** What a language lets a formatter change without a change of meaning. */
export type LayoutRules = {
  readonly comments: readonly string[]
  /** Types of nodes whose text counts as it is: what the grammar does not divide, such as a macro or a heredoc. */
  readonly raw: readonly string[]
  /** Types of nodes that are one name, such as `$` and what follows it. */
  readonly leaves: readonly string[]
  /** Types of literals: the white space between their parts counts. */
  readonly literals: readonly string[]
  /** True where the language itself reads CRLF in a literal as LF. */
  readonly normalizesLineEnds: boolean
  /** Types of nodes in which `;` may stand or not. */
  readonly semicolons: readonly string[]
  /** Types of nodes in which a `,` before the closing bracket may stand or not. */
  readonly commas: readonly string[]
  /** The content of a string that means the same in both kinds of quotes, or null. */
  readonly plainString: (text: string, node: SyntaxNode, parent: SyntaxNode | null) => string | null
  /** The one name in the parentheses of parameters that a formatter may add or remove; null for any other node. */
  readonly loneParameter?: (place: NodePlace) => SyntaxNode | null
  /** True for parentheses that only repeat the grouping of the tree. */
  readonly isSpareParenthesis: (place: NodePlace) => boolean
  /** True for any other token that a formatter may add. */
  readonly isSpareToken?: (place: NodePlace) => boolean
  /** Types of nodes that mean the same as another type, which stands here for both. */
  readonly sameTypes?: Readonly<Record<string, string>>
  /** The one spelling of a leaf that has several with one meaning, such as a number; null for any other leaf. */
  readonly spelling?: (place: NodePlace) => string | null
  /** A text that the grammar does not divide, without the white space that means nothing in it. */
  readonly rawText?: (node: SyntaxNode, text: string) => string
  /**
   * A part that the parser could not read, as the tokens that the language itself makes of it; null where a token may
   * be another one than it seems. Only for a language in which the white space between tokens means nothing.
   */
  readonly tokens?: (part: string, text: string) => string | null
  /** Text whose occurrences count as they are, because the grammar reads it in another way than the language may. */
  readonly verbatim?: RegExp
  /** White space that means something at this node, as text; empty almost everywhere. */
  readonly spacing?: (place: NodePlace) => string
}

/** Which parts of a file may change places. */
export type MoveRules = {
  /** Types of nodes whose children are declarations or statements. */
  readonly containers: readonly string[]
  /** Siblings that move with the declaration after them. */
  readonly prefixes: readonly string[]
  /** Children that no declaration may pass, such as `private:` in C++. */
  readonly separators: readonly string[]
  /**
   * What a child may pass: null for nothing; `run` for its neighbours of the same `kind`; `all` for everything in the
   * container. The key names it: two children with the same key don't move.
   */
  readonly movable: (
    place: NodePlace & { readonly prefixes: readonly SyntaxNode[] },
  ) => { readonly key: string; readonly kind: string; readonly passes: 'run' | 'all' } | null
}

/** Where a name is bound: the nearest of these nodes around it, or that node's child with the field. */
export type BinderScope = {
  readonly around: readonly string[]
  readonly field?: string
  /** Of those nodes, the ones in which the name may count outside as well: then its rename is not proved. */
  readonly except?: readonly string[]
  /** True where the name may be one of a scope around: it must not be used directly in any of them. */
  readonly isShared?: true
  /** True where the name counts in the whole scope, also before the line that binds it. */
  readonly isHoisted?: true
  /** Other name spaces in which the name counts, too. */
  readonly also?: readonly string[]
  /** What names are like here; others mean something else, such as a constant in a pattern. */
  readonly names?: RegExp
  /** A text in which the name is a value: then its rename is not proved. */
  readonly reflection?: RegExp
}

/** Names of local variables, labels and type parameters, and where they count. */
export type NameRules = {
  /** Types of leaves that are names, each with its name space. */
  readonly spaces: Readonly<Record<string, string>>
  /** `parent.field` of names that are members or keys, not variables. */
  readonly members: readonly string[]
  /** `parent.field` or types of leaves at which a local name is also a key or a member that others see. */
  readonly exposed: readonly string[]
  /** `parent.field`, or `parent`, between a name and what declares it: patterns and declarators. */
  readonly patterns: readonly string[]
  /** `parent.field` of what declares names, each with their scope. */
  readonly binders: Readonly<Record<string, BinderScope>>
  /** Fields of a declaration in which its name does not count yet. */
  readonly outsideFields: readonly string[]
  /** Types of nodes in which a name may mean a member that the text does not show. */
  readonly hidden: readonly string[]
  /** Types of nodes whose text may name a variable in ways that the tree does not show. */
  readonly mentions: readonly string[]
  /** Types of nodes that may use a name wherever it is bound, such as macros; of the whole file. */
  readonly definitions: readonly string[]
  /** A text in which names of variables are values: then no rename is proved. */
  readonly reflection: RegExp
  /** Names that mean something by themselves. */
  readonly reserved: RegExp
}

/** How the class of a change is proved in a language. */
export type ClassRules = {
  readonly layout: LayoutRules
  readonly moves: MoveRules
  readonly names: NameRules
  /** A comment that some tool reads. */
  readonly toolComment: RegExp
  /** The words by which a tool finds a comment that belongs to the code after it, whatever line that is on. */
  readonly nodeWords?: RegExp
  /** A comment with which a list for a tool begins: the comments on the next lines belong to it. */
  readonly toolList?: RegExp
  /** A text of which every comment may be read by a tool. */
  readonly toolText?: RegExp
}
