import { join } from 'node:path'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { testPage } from '../../rig/page.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: tidy up, kind: refactor, owned_scope: ["src/**"] }
  - { id: INT-002, name: access, owned_scope: ["src/check.ts"] }
  - { id: INT-003, name: move, constraints: ["No behaviour change."], owned_scope: ["lib/**"] }
`

const template = fixture(async () => {
  const repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.write('src/check.ts', 'export function check(u: User) {\n  const known = allow(u)\n  return known\n}\n')
  await repo.write('src/pay.ts', 'export const pay = 1\n')
  await repo.write('lib/a.py', 'def f(a):\n    return a\n')
  await repo.git('add', '--all')
  const before = ['--date', '2025-12-31T00:00:00Z'] // No commit of a row looks like an amendment of it.
  await repo.git('commit', '-q', '--no-verify', ...before, '-m', 'before', '--trailer', 'Intent-ID: INT-001')
  return copyGoverned(repo)
})

testPage(join(import.meta.dirname, 'refactor-only.txt'), template)
