import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLASS_RULES } from '../../../../src/core/code/symbols/class-rules-by-language.ts'
import { classifyChange } from '../../../../src/core/code/symbols/classify/classify-change.ts'
import { languageOf } from '../../../../src/core/code/symbols/languages.ts'
import { type ClassPair, readClassPairs } from '../../../rig/class-pairs.ts'
import { parseHere } from '../../../rig/parse.ts'

const FOLDER = join(import.meta.dirname, 'pairs')
const HARMLESS = ['FORMAT', 'AST_REFACTOR']

async function classOf({ path, before, after }: Pick<ClassPair, 'path' | 'before' | 'after'>): Promise<string> {
  const language = languageOf(path)
  if (language === null) return 'UNKNOWN'
  const [one, other] = [await parseHere(path, before), await parseHere(path, after)]
  return classifyChange(one, other, CLASS_RULES[language.name]).mutationClass
}

describe.each(readdirSync(FOLDER))('%s', page => {
  const pairs = readClassPairs(readFileSync(join(FOLDER, page), 'utf8'))

  test('no evolution, and no text that can’t be parsed, is called harmless', async () => {
    const wrong: string[] = []
    for (const it of pairs.filter(pair => !HARMLESS.includes(pair.expected))) {
      const found = await classOf(it)
      if (HARMLESS.includes(found)) wrong.push(`${found}: ${it.title}`)
    }
    expect(wrong).toEqual([])
  })

  test('most layout is proved to be layout, and most refactorings to be refactorings', async () => {
    for (const [expected, least] of [
      ['FORMAT', 0.9],
      ['AST_REFACTOR', 0.8],
    ] as const) {
      const wanted = pairs.filter(pair => pair.expected === expected)
      const found: string[] = []
      for (const it of wanted) if ((await classOf(it)) === expected) found.push(it.title)
      const missed = wanted.filter(it => !found.includes(it.title)).map(it => it.title)
      expect(found.length / wanted.length, `not proved: ${missed.join(' · ')}`).toBeGreaterThanOrEqual(least)
    }
  })

  test('a pair has one class in both directions, and a text against itself is layout', async () => {
    for (const it of pairs) {
      expect(await classOf({ ...it, before: it.after, after: it.before }), it.title).toBe(await classOf(it))
      if (languageOf(it.path)) expect(await classOf({ ...it, after: it.before }), it.title).toBe('FORMAT')
    }
  })
})
