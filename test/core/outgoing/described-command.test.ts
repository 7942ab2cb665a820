import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OPTIONS, PROGRAMS, SCRIPTS } from '../../../src/core/outgoing/command-words.ts'
import { describedCommand } from '../../../src/core/outgoing/described-command.ts'

test.each<[line: string, words: string]>([
  ['npm test', 'npm test'],
  ['DB_PASSWORD=x npm test -- --token=y', 'npm test --token'],
  ['curl -H "Authorization: Bearer sk-1" https://u:p@host/x', 'curl -H'],
  ['deploy hunter2', 'another program'],
  ['git push https://user:hunter2@host/x.git main', 'git push'],
  ['npm run test:unit -- --reporter=dot', 'npm run test:unit --reporter'],
  ['npm run hunter2', 'npm run'],
  ['python -m pytest -k hunter2 tests/', 'python pytest -m -k'],
  ['cd /home/hunter2 && npx vitest run src/a.test.ts', 'cd ; npx vitest run'],
  ['env -i A="b c" sudo -u hunter2 make check', 'env sudo'],
  ['mysql -uroot -phunter2 shop', 'mysql'],
  ['sshpass -p hunter2 ssh me@host', 'another program'],
  ['echo hunter2 | docker login -u me --password-stdin', 'echo ; docker login -u'],
  ['./node_modules/.bin/vitest --run', 'vitest --run'],
  ['bash -c "TOKEN=hunter2 ./deploy.sh"', 'bash -c'],
  ['cat <<EOF > a\nhunter2 npm test\nEOF', 'cat ; another program'],
  ['TOKEN=hunter2', 'another program'],
  ['PASS=\'a b\' OTHER="c d" yarn test', 'yarn test'],
  ['x="npm test', 'npm test'],
  ['', 'another program'],
  ['--token hunter2', 'another program'],
  ['npm test; npm test; ls; git status; make', 'npm test ; ls ; git status ; …'],
])('%s', (line, words) => {
  expect(describedCommand(line)).toBe(words)
})

const KNOWN = new Set([
  ...[...OPTIONS].map(it => `--${it}`),
  ...[...PROGRAMS].flatMap(([program, follows]) => [program, ...follows]),
  ...SCRIPTS,
  ...[';', '…', 'another', 'program'],
])

test('no word of a description is a word of the line that is in no list', () => {
  const word = fc.oneof(fc.string(), fc.constantFrom(...KNOWN, "'", '"', '$(', '`', '\\', '\n', '|', '=', '-', '<<'))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), fc.constantFrom('', ' '), (words, between) => {
      const described = describedCommand(words.join(between)).split(' ')
      const isKnown = (it: string) =>
        KNOWN.has(it) || /^-[A-Za-z]$/.test(it) || it.split(':').every(p => SCRIPTS.has(p))
      expect(described.filter(it => !isKnown(it))).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

test('a line of a megabyte is described at once', () => {
  for (const it of ['"', "'", 'a=', '\\', '|', 'x '])
    expect(describedCommand(it.repeat(500_000))).toBe('another program')
})
