import { type FileRule } from './file-rules.ts'
import { lineOf, visit } from './source.ts'

/** The words that switch kotef off: an agent may read no text that has them. */
export const WAY_AROUND = /\bKOTEF=0|--no-verify|--no-hooks/

/** No text of src says how to skip the hooks. */
export const noWayAroundIsNamed: FileRule = source => {
  const found: string[] = []
  const add = (start: number, text: string) => {
    if (WAY_AROUND.test(text)) found.push(`${source.path}:${lineOf(source, start)} names a way around: ${text}`)
  }
  visit(source, {
    // An option for git is a text of its own, and not printed.
    Literal: it => typeof it.value === 'string' && it.value !== '--no-verify' && add(it.start, it.value),
    TemplateElement: it => add(it.start, it.value.raw),
  })
  return found
}
