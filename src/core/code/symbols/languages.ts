import type { DeclarationRules } from './declaration.ts'
import { csharpDeclarations, javaDeclarations } from './languages/class-declarations.ts'
import { cppDeclarations } from './languages/cpp-declarations.ts'
import {
  goDeclarations,
  phpDeclarations,
  pythonDeclarations,
  rubyDeclarations,
  rustDeclarations,
} from './languages/script-declarations.ts'
import { typescriptDeclarations } from './languages/typescript-declarations.ts'

/** A language whose declarations kotef knows. */
export type Language = {
  readonly name: LanguageName
  /** The name of its tree-sitter grammar. C has none that reads it better than that of C++. */
  readonly grammar: string
  readonly declarations: DeclarationRules
}

/** The names of the languages. */
export type LanguageName =
  'typescript' | 'tsx' | 'javascript' | 'python' | 'go' | 'rust' | 'java' | 'c' | 'cpp' | 'csharp' | 'ruby' | 'php'

const LANGUAGES: readonly (Language & { readonly extensions: string })[] = [
  { name: 'typescript', grammar: 'typescript', declarations: typescriptDeclarations, extensions: 'ts mts cts' },
  { name: 'tsx', grammar: 'tsx', declarations: typescriptDeclarations, extensions: 'tsx' },
  { name: 'javascript', grammar: 'javascript', declarations: typescriptDeclarations, extensions: 'js mjs cjs jsx' },
  { name: 'python', grammar: 'python', declarations: pythonDeclarations, extensions: 'py pyi pyw' },
  { name: 'go', grammar: 'go', declarations: goDeclarations, extensions: 'go' },
  { name: 'rust', grammar: 'rust', declarations: rustDeclarations, extensions: 'rs' },
  { name: 'java', grammar: 'java', declarations: javaDeclarations, extensions: 'java' },
  // Most headers are shared, and macros aside, the grammar reads both languages.
  { name: 'c', grammar: 'cpp', declarations: cppDeclarations, extensions: 'c' },
  { name: 'cpp', grammar: 'cpp', declarations: cppDeclarations, extensions: 'h cc cpp cxx c++ hh hpp hxx h++ ipp tpp' },
  { name: 'csharp', grammar: 'c-sharp', declarations: csharpDeclarations, extensions: 'cs' },
  { name: 'ruby', grammar: 'ruby', declarations: rubyDeclarations, extensions: 'rb rake gemspec' },
  { name: 'php', grammar: 'php', declarations: phpDeclarations, extensions: 'php' },
]

/** The language of a path, by its extension; null for other text, which has no declarations. */
export function languageOf(path: string): Language | null {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return LANGUAGES.find(it => extension !== undefined && it.extensions.split(' ').includes(extension)) ?? null
}
