import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadPolicy } from '../../src/world/intents/policy/load-policy.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'
import { runCli } from '../rig/command-line.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { temporaryRepo } from '../rig/repo.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const registry = (scope: string, more = '') =>
  `active_intents:\n  - { id: INT-001, name: a, status: IN_PROGRESS, owned_scope: [${scope}] }\n${more}`

describe('kotef scope', () => {
  test('tells for each path who owns it and by which glob, or why nobody does', async () => {
    await using repo = await temporaryRepo({
      [REGISTRY]: registry(
        '"src/**", "!src/old/**"',
        '  - { id: INT-002, name: b, status: PENDING, owned_scope: ["**"] }\n',
      ),
      '.intentignore': '*.pem\n',
      '.sdd/KOTEF.md': '## Forbidden Paths\n- `infra/**`\n',
    })
    const paths = ['src/a b.ts', 'src/old/x', 'infra/x', 'src/k.pem', '.husky/pre-commit', '../beside']
    expect((await runCli(repo, 'scope', ...paths)).text.split('\n')).toEqual([
      'src/a b.ts',
      '  INT-001  PENDING  owns it by src/**',
      '  INT-002  PENDING  owns it by **',
      'src/old/x',
      '  INT-001  PENDING  excludes it by !src/old/**',
      '  INT-002  PENDING  owns it by **',
      'infra/x',
      '  no owner: forbidden for every intent by infra/** in .sdd/KOTEF.md',
      'src/k.pem',
      '  no owner: forbidden for every intent by *.pem in .intentignore',
      '.husky/pre-commit',
      '  no owner: a governance file (.husky/**); it changes in commits of its own',
      '../beside',
      '  no owner: no scope can name it, because it contains `..`',
    ])
  })

  test('names the status that an intent has by its sessions', async () => {
    await using repo = await hookedRepo()
    expect((await runCli(repo, 'scope', 'src/a.ts')).text).toBe('src/a.ts\n  INT-001  IN_PROGRESS  owns it by src/**')
  })

  test('an empty scope owns nothing', async () => {
    await using repo = await temporaryRepo({ [REGISTRY]: registry('') })
    const { json, text } = await runCli(repo, 'scope', 'src/a.ts')
    expect(json).toMatchObject({ paths: [{ path: 'src/a.ts', owners: [] }] })
    expect(text).toContain('no owner: outside every intent')
  })

  test('a path is meant from where the command runs, and through the links of its folders', async () => {
    await using repo = await temporaryRepo({ [REGISTRY]: registry('"src/**"'), 'src/deep/a.ts': '', 'docs/x': '' })
    await symlink('../docs', join(repo.root, 'src/link'))
    const below = { root: join(repo.root, 'src/deep'), env: repo.env }
    const { json } = await runCli(below, 'scope', 'a.ts', '../new/b.ts', '../link/x', '../link')
    expect((json as { paths: { path: string; owners: string[] }[] }).paths.map(it => [it.path, ...it.owners])).toEqual([
      ['src/deep/a.ts', 'INT-001'],
      ['src/new/b.ts', 'INT-001'],
      ['docs/x'],
      ['src/link', 'INT-001'],
    ])
  })
})

describe('the policy in force', () => {
  test('is never widened by what is not committed', async () => {
    await using repo = await temporaryRepo({
      [REGISTRY]: registry('"src/**"'),
      '.intentignore': '*.pem\n',
      '.sdd/KOTEF.md': '## Forbidden Paths\n- infra/**\n',
      '.orchestration/config.yaml': 'governance: [ops/**]\nrides: ["*.lock"]\n',
    })
    await repo.write(
      REGISTRY,
      registry('"**"', '  - { id: INT-002, name: b, status: PENDING, owned_scope: ["new/**"] }\n'),
    )
    await repo.write('.intentignore', '# nothing\n*.key\n')
    await repo.write('.sdd/KOTEF.md', '')
    await repo.write('.orchestration/config.yaml', 'governance: [plans/**]\nrides: ["*.lock", "src/**"]\n')
    expect(await policyOf(repo.root)).toEqual({
      bots: [],
      intents: [
        { id: 'INT-001', name: 'a', status: 'PENDING', owned_scope: ['src/**'] },
        { id: 'INT-002', name: 'b', status: 'PENDING', owned_scope: ['new/**'], isUncommitted: true },
      ],
      rides: ['*.lock'],
      enforcements: { enforce: 'block', rules: {} },
      governance: ['ops/**', 'plans/**'],
      forbidden: ['infra/**'],
      intentignore: ['*.pem', '*.key'],
    })
  })

  test.each(['unborn', 'not governed', 'damaged'])('is that of the worktree where HEAD is %s', async head => {
    const first = head === 'damaged' ? { [REGISTRY]: 'active_intents: [' } : { 'a.ts': '' }
    await using repo = await temporaryRepo(head === 'unborn' ? {} : first)
    await repo.write(REGISTRY, registry('"**"'))
    expect((await policyOf(repo.root)).intents[0]?.owned_scope).toEqual(['**'])
  })
})

async function policyOf(root: string) {
  return loadPolicy(await openWorkspace(root))
}
