import { expect, test } from 'vitest'
import { writerEffects } from '../../../../../src/core/agents/gate/shell/write-programs.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['touch a b', ['write a', 'write b']],
  ['touch -d now a', ['write a']],
  ['touch --sparse a', ['opaque']],
  ['mkdir -p a/b', ['write a/b']],
  ['rm -rf a', ['write tree a']],
  ['rm a', ['write a']],
  ['rm $x', ['opaque']],
  ['chmod 644 a', ['write a']],
  ['chmod -R 755 a', ['write tree a']],
  ['tee -a a', ['write a']],
  ['tee /dev/null', []],
  ['cp a b', ['write b/{a}']],
  ['cp a x/b c', ['write c/{a,b}']],
  ['cp -r a b', ['write b/{a}', 'opaque']],
  ['cp a', []],
  ['cp -t d a', ['write d/{a}']],
  ['cp $x b', ['opaque']],
  ['mv a b', ['write tree a', 'write b/{a}']],
  ['ln -s a b', ['write b/{a}', 'opaque']],
  ['ln a b', ['write a', 'write b/{a}']],
  ['ln a/b', ['write a/b', 'write b']],
  ['install -d a', ['write a']],
  ['install a b', ['write b/{a}']],
  ['rsync -a a b', ['write b', 'opaque']],
  ['truncate -s 0 a', ['write a']],
  ['rm ".git/$x"', ['opaque', "switch git's own files"]],
  ['rm -- -a', ['write -a']],
  ['cat a', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(writerEffects(programOf(line), argsOf(line)))).toEqual(effects)
})
