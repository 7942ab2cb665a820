import { expect, test } from 'vitest'
import { forbiddenRun, packagesAddedBy } from '../../../../src/core/agents/gate/forbidden-run.ts'
import { readShell } from '../../../../src/core/agents/gate/shell/read-shell.ts'
import { constraintsOfIntent } from '../../../../src/core/intents/contract/enforced-constraints.ts'
import { judgeWithFacts } from '../../../../src/core/agents/gate/judge-tool.ts'
import { callIn, factsFor, intent } from './gate-fixture.ts'

const constraints = constraintsOfIntent('INT-001', [
  'MUST NOT run `npm publish` or `git push --force`',
  'Never run `./scripts/deploy.sh`',
  'Never run `rm -rf`',
  'DO NOT add new dependencies',
])
const found = (line: string) =>
  forbiddenRun(readShell(line).runs, constraints, new Set(['react', '@a/b']))?.command ?? null

test.each([
  ...['npm publish', 'npm publish --tag next', 'npm --silent publish', 'npm -w packages/a publish'],
  ...['ls && npm publish', 'false || npm publish', '(cd a; npm publish)', 'if true; then npm publish; fi'],
  ...[
    'A=1 npm publish',
    'env -u B A=1 npm publish',
    'sudo npm publish',
    'timeout 9 npm publish',
    '/usr/bin/npm publish',
  ],
  ...["sh -c 'npm publish'", "bash -lc 'cd a && npm publish'", 'eval npm publish', 'echo $(npm publish)'],
  ...[
    'npx npm publish',
    'npx -y npm@10 publish',
    'npm exec -- npm publish',
    "npx -c 'npm publish'",
    'pnpm dlx npm publish',
  ],
  ...['find . -name a -exec npm publish \\;', 'echo a | xargs npm publish', '! npm publish &'],
])('a forbidden command is found: %s', line => {
  expect(found(line)).toBe('npm publish')
})

test.each([
  ['git push origin main --force', 'git push --force'],
  ['git -C x push --force', 'git push --force'],
  ['./scripts/deploy.sh now', './scripts/deploy.sh'],
  ['cd scripts && ./deploy.sh', './scripts/deploy.sh'],
  ['sh scripts/deploy.sh now', './scripts/deploy.sh'],
  ['source ./scripts/deploy.sh', './scripts/deploy.sh'],
  ['rm -fr x', 'rm -rf'],
  ['rm -f -r x', 'rm -rf'],
  ['npm -w a i left-pad', 'an installation of left-pad'],
  ['npm i --prefix sub left-pad', 'an installation of left-pad'],
  ['pnpm --filter a add left-pad', 'an installation of left-pad'],
  ['pnpm add -w left-pad', 'an installation of left-pad'],
  ['yarn workspace a add left-pad', 'an installation of left-pad'],
  ['yarn --cwd sub add left-pad', 'an installation of left-pad'],
  ['corepack pnpm@9 add left-pad', 'an installation of left-pad'],
  ['npm install-test left-pad', 'an installation of left-pad'],
  ['npm i left-pad', 'an installation of left-pad'],
  ['npm install --save-dev left-pad@1', 'an installation of left-pad'],
  ['npm add @a/c@2', 'an installation of @a/c'],
  ['yarn add react left-pad', 'an installation of left-pad'],
  ['pnpm add left-pad', 'an installation of left-pad'],
  ['bun a left-pad', 'an installation of left-pad'],
])('%s is %s', (line, command) => {
  expect(found(line)).toBe(command)
})

test.each([
  ...['npm run publish', 'npm pack', 'echo npm publish', "git commit -m 'npm publish'", 'yarn publish', 'git push'],
  ...['git log --force', 'npm ci', 'npm i', 'npm install', 'npm i react@19', 'npm i @a/b', 'npm i -g left-pad'],
  ...['npm i react -w a', 'npm i --omit dev', 'npm i react --tag next', 'npm i --loglevel verbose', 'npm i -w a react'],
  ...['npm i --dry-run left-pad', 'npm i --location global left-pad', 'pnpm add -w react', 'pnpm i -C sub', 'rm -r x'],
  ...['yarn workspace a add react', 'yarn workspace add build', 'npm help install left-pad', 'sh build.sh deploy.sh'],
  ...['npm i ./left-pad', 'npm run add left-pad', 'yarn install', '$X publish', 'cat deploy.sh'],
  ...['constructor i x', 'toString add x', '__proto__ add x'],
])('nothing is forbidden in %s', line => {
  expect(found(line)).toBeNull()
})

test('only what adds packages needs a look at the manifest', () => {
  expect(['npm i a', 'npm i', 'npm test'].map(it => packagesAddedBy(readShell(it).runs))).toEqual([['a'], [], []])
})

test('the refusal names the constraint and the intent; one of KOTEF.md holds for every intent', () => {
  const call = callIn('npm publish')
  const facts = factsFor(call)
  const judged = (more: Partial<typeof facts>) => judgeWithFacts(call, { ...facts, ...more })
  expect(judged({ intent: { ...intent, constraints } })).toMatchObject({
    verdict: {
      kind: 'deny',
      reasons: [
        {
          code: 'constraint-command',
          intent: 'INT-001',
          message: 'This would run npm publish: INT-001 says: MUST NOT run `npm publish` or `git push --force`',
        },
      ],
    },
  })
  const ofProject = constraints.map(it => ({ ...it, by: '.sdd/KOTEF.md' }))
  expect(judged({ policy: { ...facts.policy, constraints: ofProject } })).toMatchObject({ verdict: { kind: 'deny' } })
  expect(judged({})).toMatchObject({ verdict: { kind: 'allow' } })
})
