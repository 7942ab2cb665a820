import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../rig/command-line.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const intent = '{ id: INT-001, name: a, status: PENDING, owned_scope: ["src/**"] }'

const DAMAGES = [
  { what: 'unparsable YAML', text: `active_intents: [${intent}`, says: [/:1: expected valid YAML, found .*\]/] },
  {
    what: 'a duplicate id',
    text: `active_intents:\n- ${intent}\n- ${intent}\n`,
    says: [/:3: expected an id of its own/],
  },
  {
    what: 'an unknown status',
    text: `active_intents: [${intent.replace('PENDING', 'DONE')}]`,
    says: [/:1: .*found "DONE"/],
  },
  { what: 'an unknown key', text: `active_intents: [${intent}]\nextra: 1\n`, says: [/:2: .*unknown key `extra`/] },
  {
    what: 'a space behind the `!` of an exception',
    text: `active_intents:\n- ${intent.replace('"src/**"', '"src/**", "! src/secret/**"')}`,
    says: [/:2: expected a glob without a space around it: `!src\/secret\/\*\*` in `owned_scope`, found/],
  },
  {
    what: 'a glob that means half a million paths',
    text: `active_intents: [${intent.replace('src', '{a..z}{a..z}{a..z}{a..z}')}]`,
    says: [/:1: expected a glob whose braces mean at most 1000 paths/],
  },
  {
    what: 'a glob of nested braces',
    text: `active_intents: [${intent.replace('src', `${'{a,'.repeat(1000)}b${'}'.repeat(1000)}`)}]`,
    says: [/:1: expected a glob whose braces mean at most 1000 paths/],
  },
  {
    what: 'a glob that is longer than any path',
    text: `active_intents: [${intent.replace('src', `${'{a,'.repeat(3000)}b${'}'.repeat(3000)}`)}]`,
    says: [/:1: expected a glob of at most 4096 characters in `owned_scope`, found "\{a,/],
  },
  {
    what: 'too many globs in all',
    text: `active_intents: [${intent.replace('"src/**"', '"{a..z}{a..z}", '.repeat(40_000))}]`,
    says: [/:1: expected at most 50000 globs in all intents together, up to INT-001,/],
  },
  {
    what: 'a block of 1,200 levels',
    text: Array.from({ length: 1200 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
    says: [/:101: expected YAML of at most 100 levels/],
  },
  {
    what: 'a million brackets',
    text: `active_intents: ${'['.repeat(1_000_000)}`,
    says: [/:1: expected YAML of at most 100 levels/],
  },
  {
    what: 'three things at once',
    text: `active_intents:\n- ${intent.replace('src', '..')}\n- { id: x, name: a, status: MAYBE }\n`,
    says: [/has 3 problems/, /:2: expected a glob without `\.\.`/, /:3: expected an id/, /:3: .*"MAYBE"/],
  },
]

// Every way to need the registry. None of them may write to it when it is damaged.
const VERBS = [
  ['intent', 'list'],
  ['intent', 'show', 'INT-001'],
  ['intent', 'add', '--name', 'b', '--scope', 'b/**'],
  ['intent', 'edit', 'INT-001', '--name', 'b'],
  ['intent', 'start', 'INT-001'],
  ['intent', 'block', 'INT-001'],
  ['intent', 'complete', 'INT-001', '--attest'],
  ['intent', 'abandon', 'INT-001'],
  ['scope', 'src/a.ts'],
]

describe('a damaged registry', () => {
  test.each(DAMAGES)('with $what is refused by every verb with all problems, and stays as it is', async it => {
    await using repo = await temporaryRepo({ 'a.ts': '' })
    await repo.write(REGISTRY, it.text)
    for (const words of VERBS) {
      const { failure, exit, text } = await runCli(repo, ...words)
      expect({ words, code: failure?.code, exit }).toEqual({ words, code: 'registry-invalid', exit: 2 })
      for (const line of it.says) expect(text).toMatch(line)
      expect(text).not.toMatch(/\n\s+at /)
    }
    expect(await repo.read(REGISTRY)).toBe(it.text)
  })

  test.each([
    { what: 'a missing file', code: 'registry-missing', damage: async () => {} },
    { what: 'a directory in its place', code: 'registry-unreadable', damage: (path: string) => mkdir(path) },
    {
      what: 'a circle of links in its place',
      code: 'registry-unreadable',
      damage: (path: string) => symlink(path, path),
    },
  ])('$what is refused by every verb, and nothing is put there', async ({ code, damage }) => {
    await using repo = await temporaryRepo({ 'a.ts': '', '.orchestration/x': '' })
    await damage(join(repo.root, REGISTRY))
    const before = await stateOf(repo)
    for (const words of VERBS) {
      const { failure, exit } = await runCli(repo, ...words)
      expect({ words, code: failure?.code, exit }).toEqual({ words, code, exit: 3 })
    }
    expect(await stateOf(repo)).toBe(before)
  })

  test('bytes that are not UTF-8 are refused, never rewritten', async () => {
    await using repo = await temporaryRepo({ 'a.ts': '' })
    const bytes = Buffer.concat([Buffer.from(`active_intents: [${intent}] # `), Buffer.from([0xe9])])
    await repo.write(REGISTRY, bytes)
    expect((await runCli(repo, 'intent', 'start', 'INT-001')).failure?.code).toBe('registry-unreadable')
    expect(await readFile(join(repo.root, REGISTRY))).toEqual(bytes)
  })

  test('outside of a repository every verb says so', async () => {
    await using repo = await temporaryRepo()
    for (const words of VERBS) {
      expect((await runCli({ root: repo.base, env: repo.env }, ...words)).failure?.code).toBe('not-a-repo')
    }
  })

  test.each([
    { path: '.orchestration/config.yaml', text: 'clams: 1\nanchor: deep\n', code: 'config-invalid' },
    { path: '.intentignore/x', text: '', code: 'policy-unreadable' },
    { path: '.sdd/KOTEF.md/x', text: '', code: 'policy-unreadable' },
  ])('a damaged $path is refused where it is needed', async ({ path, text, code }) => {
    await using repo = await temporaryRepo({ [REGISTRY]: `active_intents: [${intent}]\n`, [path]: text })
    expect((await runCli(repo, 'scope', 'src/a.ts')).failure?.code).toBe(code)
  })
})

// What stands in .orchestration, and what it points to.
async function stateOf(repo: Repo): Promise<string> {
  const { stdout } = await repo.run('ls', ['-l', '--time-style=+', '.orchestration'])
  return stdout
}
