import { join } from 'node:path'
import { fixture } from '../../rig/fixture.ts'
import { copyGoverned, hookedRepo } from '../../rig/hooked-repo.ts'
import { testPage } from '../../rig/page.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: work, owned_scope: ["src/**"] }
  - { id: INT-006, name: docs, owned_scope: ["docs/**"] }
  - id: CHORE-001
    name: chores
    standing: true
    limits: { files: 2, lines: 8 }
    owned_scope: ["README.md", ".github/workflows/**"]
`

const template = fixture(async () => {
  const repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.write('README.md', 'Read me\n')
  await repo.git('add', '--all')
  const before = ['--date', '2025-12-31T00:00:00Z'] // No commit of a row looks like an amendment of it.
  await repo.git('commit', '-q', '--no-verify', ...before, '-m', 'read me', '--trailer', 'Intent-ID: CHORE-001')
  return copyGoverned(repo)
})

testPage(join(import.meta.dirname, 'chores.txt'), template)
