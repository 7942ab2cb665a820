import type { ClassRules } from './classify/class-rules.ts'
import type { LanguageName } from './languages.ts'
import { cClass, cppClass } from './languages/cpp-class.ts'
import { csharpClass } from './languages/csharp-class.ts'
import { goClass } from './languages/go-class.ts'
import { javaClass } from './languages/java-class.ts'
import { javascriptClass } from './languages/javascript-class.ts'
import { phpClass } from './languages/php-class.ts'
import { pythonClass } from './languages/python-class.ts'
import { rubyClass } from './languages/ruby-class.ts'
import { rustClass } from './languages/rust-class.ts'

/** How the class of a change is proved in each language. */
export const CLASS_RULES: Readonly<Record<LanguageName, ClassRules>> = {
  typescript: javascriptClass,
  tsx: javascriptClass,
  javascript: javascriptClass,
  python: pythonClass,
  go: goClass,
  rust: rustClass,
  java: javaClass,
  c: cClass,
  cpp: cppClass,
  csharp: csharpClass,
  ruby: rubyClass,
  php: phpClass,
}
