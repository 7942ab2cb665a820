import { parse } from 'unbash'
import { expect, test } from 'vitest'
import { statementsResult } from '../../../../../src/core/agents/gate/shell/statements.ts'
import { shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[], folders: readonly string[] | null]>([
  ['rm a; rm b', ['write a', 'write b'], ['']],
  ['cd d && rm a', ['write d/a'], ['d', '']],
  ['cd d || rm a', ['write a'], ['d', '']],
  ['cd d; rm a', ['write d/a', 'write a'], ['d', '']],
  ['! cd d', [], ['d', '']],
  ['(cd d); rm a', ['write a'], ['']],
  ['{ cd d; }; rm a', ['write d/a', 'write a'], ['d', '']],
  ['cd d & rm a', ['write a'], ['']],
  ['ls | rm a', ['write a'], ['']],
  ['cd d | cat; rm a', ['write a'], ['']],
  ['if x; then cd d; fi; rm a', ['opaque', 'write a', 'write d/a'], ['', 'd']],
  ['for f in a; do cd d; done; rm a', ['opaque'], null],
  ['for PATH in a; do ls; done', ['opaque'], ['']],
  ['while read l; do rm a; done', ['write a'], ['']],
  ['case x in a) rm a;; esac', ['write a'], ['']],
  ['echo $(rm a)', ['write a'], ['']],
  ['cat <(rm a)', ['write a'], ['']],
  ['ls > a', ['write a'], ['']],
  ['{ ls; } > a', ['write a'], ['']],
  ['[[ a ]] && rm a', ['write a'], ['']],
  ['exit; rm a', ['opaque'], []],
])('%s: %j, and the shell ends in %j', (line, effects, folders) => {
  const result = statementsResult(parse(line).commands, [''])
  expect(shownEffects(result.effects)).toEqual(effects)
  expect(result.onSuccess).toEqual(folders)
})

test('where the first folder is not known, relative paths are opaque and absolute ones are not', () => {
  expect(shownEffects(statementsResult(parse('rm a /b').commands, null).effects)).toEqual(['opaque', 'write /b'])
})
