import { join } from 'node:path'
import { fixture } from '../../rig/fixture.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { testPage } from '../../rig/page.ts'

const REGISTRY = `version: 1
active_intents:
  - { id: INT-001, name: work, owned_scope: ["src/**"] }
  - { id: INT-002, name: docs, owned_scope: ["docs/**"] }
  - { id: INT-003, name: next, owned_scope: ["next/**"] }
  - { id: INT-004, name: done, status: COMPLETED, owned_scope: ["**"] }
  - { id: INT-006, name: more docs, owned_scope: ["docs/**"] }
`

const template = fixture(() => hookedRepo({ registry: REGISTRY, start: null }))

testPage(join(import.meta.dirname, 'which-intent.txt'), template)
