import { describe, expect, test } from 'vitest'
import { CLASS_RULES } from '../../../../src/core/code/symbols/class-rules-by-language.ts'
import { cClass, cppClass } from '../../../../src/core/code/symbols/languages/cpp-class.ts'
import { csharpClass } from '../../../../src/core/code/symbols/languages/csharp-class.ts'
import { goClass } from '../../../../src/core/code/symbols/languages/go-class.ts'
import { javaClass } from '../../../../src/core/code/symbols/languages/java-class.ts'
import { javascriptClass } from '../../../../src/core/code/symbols/languages/javascript-class.ts'
import { phpClass } from '../../../../src/core/code/symbols/languages/php-class.ts'
import { pythonClass } from '../../../../src/core/code/symbols/languages/python-class.ts'
import { rubyClass } from '../../../../src/core/code/symbols/languages/ruby-class.ts'
import { rustClass } from '../../../../src/core/code/symbols/languages/rust-class.ts'

// Comments that a tool reads, and comments that only people read, by language.
const COMMENTS = [
  ['typescript', javascriptClass, '// @ts-ignore', '// the sum of both'],
  ['javascript', javascriptClass, '/** @type {Foo} */', '/** The sum. @param a the first one */'],
  ['python', pythonClass, '# noqa: E501', '# the sum of both'],
  ['go', goClass, '//go:build linux', '// Sum adds both.'],
  ['rust', rustClass, '/// # Examples', '// the sum of both'],
  ['java', javaClass, '// NOSONAR', '/** The sum. @param a the first one */'],
  ['c', cClass, '/* fall through */', '/* the sum of both */'],
  ['cpp', cppClass, '// NOLINT(foo)', '/// The sum of both.'],
  ['csharp', csharpClass, '/// <summary>The sum.</summary>', '// the sum of both'],
  ['ruby', rubyClass, '# rubocop:disable Style/Foo', '# The sum of both.'],
  ['php', phpClass, '/** @ORM\\Column */', '/* the sum of both */'],
] as const

describe.each(COMMENTS)('%s', (language, rules, tool, prose) => {
  test('has its rules', () => {
    expect(CLASS_RULES[language]).toBe(rules)
  })

  test('knows comments that tools read from those for people', () => {
    expect([tool, prose].map(it => rules.toolComment.test(it))).toEqual([true, false])
  })

  test('lets no name be bound in a node that is no scope of it', () => {
    const scopes = Object.values(rules.names.binders).map(it => it.around.length > 0)
    expect(scopes).not.toContain(false)
  })
})
