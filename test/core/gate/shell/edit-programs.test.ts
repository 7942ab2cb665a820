import { expect, test } from 'vitest'
import { editorEffects } from '../../../../src/gate/shell/edit-programs.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test.each<[line: string, effects: readonly string[] | null]>([
  ['sed -n 1,5p a', []],
  ["sed 's/a/b/g' a", []],
  ["sed -i 's/a/b/' a b", ['write a', 'write b']],
  ["sed -i '' s/a/b/ a", ['write a']],
  ['sed -ni.bak p a', ['write a', 'write a.bak']],
  ["sed -i'../b_*' p a", ['write a', 'write ../b_a', 'opaque']],
  ['date', []],
  ['date -u +%F', []],
  ['date -d yesterday -Iseconds', []],
  ['date -s now', ['opaque']],
  ['date 010100002030', ['opaque']],
  ['sed -e p -i a', ['write a']],
  ["sed 'w out' a", ['opaque']],
  ["sed 's/a/b/w out' a", ['opaque']],
  ["sed 's/a/b/e' a", ['opaque']],
  ['sed -f x a', ['opaque']],
  ['sed $x a', ['opaque']],
  ["awk '{print $1}' a", []],
  ['awk \'{print > "a"}\'', ['opaque']],
  ["awk 'BEGIN{system(x)}'", ['opaque']],
  ['awk -f x', ['opaque']],
  ['dd if=a of=b', ['write b']],
  ['dd if=a', []],
  ['sort a', []],
  ['sort -o b a', ['write b']],
  ['sort --output=b a', ['write b']],
  ['sort --compress-program=x', ['opaque']],
  ['uniq a', []],
  ['uniq a b', ['write b']],
  ['curl -s https://h/x', []],
  ['curl -o a https://h', ['write a']],
  ['curl -o - https://h', []],
  ['curl -X POST https://h', ['opaque']],
  ['curl --upload-file a https://h', ['opaque']],
  ['wget -O a https://h', ['write a']],
  ['wget -O - https://h', []],
  ['wget https://h', ['opaque']],
  ['tar tf a.tar', []],
  ['tar xf a.tar', ['opaque']],
  ['tar -tf a.tar --to-command=x', ['opaque']],
  ['unzip -l a.zip', []],
  ['unzip a.zip', ['opaque']],
  ['vi a', null],
])('%s: %j', (line, effects) => {
  expect(shownEffects(editorEffects(programOf(line), argsOf(line)))).toEqual(effects)
})

test('a file that curl names after the address is without the query', () => {
  expect(shownEffects(editorEffects('curl', argsOf("curl -O 'https://h/d/x?q=1'")))).toEqual(['write x'])
})
