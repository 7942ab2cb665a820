import { expect, test } from 'vitest'
import { commandEffects } from '../../../../../src/core/agents/gate/shell/command.ts'
import { commandIn, shownEffects } from './effects-fixture.ts'

const resultOf = (line: string) => commandEffects(commandIn(line), [''], () => [{ kind: 'record' }])

test.each<[line: string, effects: readonly string[]]>([
  ['ls', []],
  ['node --version', []],
  ['node x.js', ['opaque']],
  ['npm ls --json', []],
  ['npm ls --prefix x', ['opaque']],
  ['npm test', ['opaque']],
  ['python -v', ['opaque']],
  ['bash', ['wait', 'opaque']],
  ['node', ['wait', 'opaque']],
  ['bash < a', ['opaque']],
  ['bash x.sh', ['opaque']],
  ['pkill kotef', ['switch killing the daemon', 'opaque']],
  ['kill -1 -1', ['switch killing the daemon', 'opaque']],
  ['./x', ['opaque']],
  ['git-status', ['load']],
  ['/usr/lib/git-core/git-status', ['load']],
  ['/usr/libexec/git-core/git-log -1', ['load']],
  ['/usr/local/libexec/git-core/git-log', ['load']],
  ['/opt/homebrew/Cellar/git/2.50.0/libexec/git-core/git-log', ['load']],
  ['/Library/Developer/CommandLineTools/usr/libexec/git-core/git-log', ['load']],
  ['/Applications/Xcode.app/Contents/Developer/usr/libexec/git-core/git-log', ['load']],
  // Any program can have such a name in another folder.
  ['/tmp/x/git-core/git-status', ['opaque']],
  ['/repo/src/git-core/git-log -1', ['opaque']],
  ['/usr/lib/../../tmp/git-core/git-log -1', ['opaque']],
  ['/usr/library/git-core/git-log', ['opaque']],
  ['/usr/local/share/git-core/git-log', ['opaque']],
  ['find . -exec /tmp/x/git-core/git-status {} +', ['opaque']],
  ['$x', ['opaque']],
  ['ls > a', ['write a']],
  ['PATH=x ls', ['opaque']],
  ['KOTEF=0 git commit', ['switch the variable KOTEF', 'load', 'hooked', 'record']],
  ['/usr/bin/rm a', ['write a']],
  ['kotef-watch --stop', ['switch stopping the daemon']],
  ["apply_patch '*** Begin Patch\n*** Add File: a\n*** End Patch'", ['write a']],
  ['env -u GIT_CONFIG_COUNT git commit -m x', ['load', 'record']],
  ['x --no-verify', ['opaque', 'switch git without its hooks']],
  ['rm a', ['write a']],
])('%s: %j, and the shell stays in its folder', (line, effects) => {
  const { effects: found, onSuccess, onFailure } = resultOf(line)
  expect(shownEffects(found)).toEqual(effects)
  expect([onSuccess, onFailure]).toEqual([[''], ['']])
})

test.each<[line: string, onSuccess: readonly string[] | null, onFailure: readonly string[] | null]>([
  ['cd d', ['d'], ['']],
  ['cd $x', null, ['']],
  ['exit 1', [], []],
  ['eval ls', null, null],
  ['pushd d', null, null],
])('after %s the shell is in %j, or, when it fails, in %j', (line, onSuccess, onFailure) => {
  expect(resultOf(line)).toMatchObject({ onSuccess, onFailure })
})

test('a script within a command is read by the reader, from the folders of the command', () => {
  const seen: unknown[] = []
  commandEffects(commandIn('bash -c "rm a"'), ['d', 'e'], (script, at) => (seen.push(script.length, at), []))
  expect(seen).toEqual([1, ['d', 'e']])
})
