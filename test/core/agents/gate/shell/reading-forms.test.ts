import { expect, test } from 'vitest'
import { parseArguments } from '../../../../../src/core/agents/gate/shell/arguments.ts'
import { READING_FORMS } from '../../../../../src/core/agents/gate/shell/reading-forms.ts'
import { readerEffects } from '../../../../../src/core/agents/gate/shell/read-programs.ts'
import { argsOf, programOf, shownEffects } from './effects-fixture.ts'

test('each name is spelled as a command line has it, and each form can be parsed', () => {
  for (const [name, { form }] of READING_FORMS) {
    expect(name).toMatch(/^[\w.-]+(?: [\w.-]+){0,3}$/)
    expect(form).toMatch(/^\+?(?:[\w:]* ?)(?:--?[\w-]+=?(?: |$))*$/)
    expect(parseArguments([], form)).not.toBeNull()
  }
})

test.each<[line: string, effects: readonly string[] | null]>([
  ['docker ps -a --format x', []],
  ['docker ps --unknown', ['opaque']],
  ['docker run x', null],
  ['docker compose up', null],
  ['docker compose config -o a', ['opaque']],
  ['npm audit', []],
  ['npm audit fix', ['opaque']],
  ['npm run', []],
  ['npm run build', ['opaque']],
  ['npm docs', null],
  ['xxd -l 64 a', []],
  ['xxd -ps a b', ['opaque']],
  ['xxd -r a', ['opaque']],
  ['xxd a -ps', ['opaque']],
  ['nm -D a', []],
  ['nm @a', ['opaque']],
  ['npm fund', []],
  ['npm fund react', ['opaque']],
  ['python3 -I -m json.tool a', []],
  ['python3 -I -m json.tool a b', ['opaque']],
  ['python3 -m json.tool a', ['load']],
  ['python3 -m http.server', null],
  ['gunzip -c a', []],
  ['gunzip a', null],
  ['lsof -i :3000', []],
  ['lsof -i -D x', ['opaque']],
  ['sysctl -a', []],
  ['sysctl -n a.b', []],
  ['sysctl a=b', ['opaque']],
  ['sysctl -p', ['opaque']],
  ['gh pr checks --required', []],
  ['gh workflow view a.yml --web', ['opaque']],
  ['go tool', []],
  ['go tool x', ['opaque']],
  ['helm search repo nginx', []],
  ['cloc --vcs=x', ['opaque']],
  ['bat -r 1:2 -l json a', []],
  ['openssl s_client -connect h:1', []],
  ['openssl s_client -connect h:1 -keylogfile a', ['opaque']],
  ['ip addr', []],
  ['ip addr add x', ['opaque']],
  ['dmesg', []],
  ['dmesg -C', ['opaque']],
  ['journalctl -n 5', []],
  ['journalctl --vacuum-size=1', ['opaque']],
  ['journalctl --cursor-file=a', ['opaque']],
  ['gh api repos/x/y', []],
  ['gh api -X POST x', ['opaque']],
  ['gh pr merge 1', null],
  ['kubectl get pods "$x"', ['opaque']],
  ['kubectl delete pod x', null],
  ['kubectl -n prod --context=x get pods', []],
  ['kubectl --kubeconfig=x get pods', null],
  ['helm -n x uninstall y', null],
  ['openssl x509 -in a -noout', []],
  ['openssl x509 -in a -out b', ['opaque']],
  ['terraform fmt -check', []],
  ['terraform fmt', null],
  ['ifconfig eth0 down', ['opaque']],
])('%s: %j', (line, effects) => {
  expect(shownEffects(readerEffects(programOf(line), argsOf(line)))).toEqual(effects)
})
