import { expect, test } from 'vitest'
import { readerEffects } from '../../../../src/gate/shell/read-programs.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['cat a', []],
  ['grep -r x .', []],
  ['find . -name a', []],
  ['find . -delete', ['opaque']],
  ['find .git -delete', ['opaque', "switch git's own files"]],
  ['find . ! -path ./.git -delete', ['opaque']],
  ['find . $x', ['opaque']],
  ['sort a', null],
  ['rg x', []],
  ['rg --pre cmd x', ['opaque']],
  ['fd -x rm', ['opaque']],
  ['less a', []],
  ['less -o a b', ['opaque']],
  ['printf x', []],
  ['printf -v a x', ['opaque']],
  ['hostname -f', []],
  ['hostname --file=x', ['opaque']],
  ['less -FRX a', []],
  ['less -j5Oa b', ['opaque']],
  ['test -f a', []],
  ['test -v a[0]', ['opaque']],
  ['[ "$x" = y ]', []],
  ['[ "$x" "$y" ]', ['opaque']],
  ['[ $x = y ]', ['opaque']],
  ['[ $? -eq 0 ]', []],
  ['xxd a', []],
  ['xxd a b', ['opaque']],
  ['yq . a', []],
  ['yq -i . a', ['opaque']],
  ['hostname', []],
  ['hostname x', ['opaque']],
  ['arch', []],
  ['arch x', ['opaque']],
  ['base64 -o a b', ['opaque']],
  ['jobs -x rm', ['opaque']],
  ['rm a', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(readerEffects(programOf(line), argsOf(line)))).toEqual(effects)
})
