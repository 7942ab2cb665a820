/** A declaration on which ctags and kotef disagree: of a file of this language, with the text of its line. */
export type Disputed = {
  readonly language: string
  readonly name: string
  /** By ctags where kotef lacks it, by kotef where ctags lacks it. */
  readonly kind: string
  /** The kind of the declaration around it, or null. */
  readonly around: string | null
  readonly source: string
}

/** The reason for which a declaration is set aside, or null. */
export function knownError(errors: readonly KnownError[], it: Disputed): string | null {
  const found = errors.find(that => that.languages.split(' ').includes(it.language) && that.is(it))
  return found?.reason ?? null
}

/** Why declarations are set aside. `languages` are names that ctags has for them. */
type KnownError = {
  readonly languages: string
  readonly reason: string
  readonly is: (it: Disputed) => boolean
}

/** What ctags 5.9 lists and is not a declaration, or not one of the kinds that kotef lists. */
export const NOT_DECLARED: readonly KnownError[] = [
  {
    languages: 'C C++ TypeScript JavaScript',
    reason: 'ctags invents a name for what has none',
    is: it => /^(__anon|AnonymousFunction)/.test(it.name),
  },
  {
    languages: 'C++',
    reason: 'ctags takes the call of a macro for a function',
    is: it => it.kind === 'function' && /^[A-Z_]+$/.test(it.name),
  },
  {
    languages: 'Python',
    reason: 'a variable is a constant where it is in capitals at the top level',
    is: it => it.kind === 'variable' && (it.around !== null || /[a-z]/.test(it.name) || /^\s/.test(it.source)),
  },
  {
    languages: 'Rust',
    reason: "ctags takes the lifetime 'static for a variable",
    is: it => it.source.includes("'static"),
  },
  {
    languages: 'Ruby',
    reason: 'ctags takes the use of a constant for its definition',
    is: it => it.kind === 'constant' && !new RegExp(`\\b${it.name}\\s*=[^>=~]`).test(it.source),
  },
  {
    languages: 'TypeScript JavaScript',
    reason: 'ctags takes local constants and properties for constants of the file',
    is: it => it.kind === 'constant' && (it.around !== null || /^\s|[{,]/.test(it.source)),
  },
  {
    languages: 'TypeScript',
    reason: 'ctags takes the import of a type for a type',
    is: it => it.kind === 'alias' && !/\btype \w+.*=/.test(it.source),
  },
  {
    languages: 'TypeScript',
    reason: 'a signature without a body is not a function or method',
    is: it => /method|function/.test(it.kind) && (it.around === 'interface' || it.source.trimEnd().endsWith(';')),
  },
  {
    languages: 'TypeScript',
    reason: 'ctags takes a type for a constant',
    is: it => it.kind === 'constant' && new RegExp(`:.*\\b${it.name}\\b`).test(it.source),
  },
  {
    languages: 'JavaScript',
    reason: 'ctags takes an object for a class',
    is: it => it.kind === 'class' && !/\bclass\b/.test(it.source),
  },
  {
    languages: 'JavaScript',
    reason: 'a function that is a value is not a declaration',
    is: it => /(=|:|\(|,|return) *(async )?function\b|=>/.test(it.source),
  },
]

/** What ctags 5.9 does not list. */
export const NOT_FOUND: readonly KnownError[] = [
  { languages: 'Go', reason: 'ctags lacks the types in a function', is: it => it.around === 'function' },
  { languages: 'Java', reason: 'ctags lacks the methods of anonymous classes', is: it => it.around === 'method' },
  {
    languages: 'Rust',
    reason: 'ctags lacks constants that are not static',
    is: it => it.kind === 'constant' && /\bconst\b/.test(it.source),
  },
  {
    languages: 'Ruby',
    reason: 'ctags lacks a method after another word on its line, or with a character literal',
    is: it => /\w +def |\?\\|char = nil/.test(it.source),
  },
]
