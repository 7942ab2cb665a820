import { join } from 'node:path'
import { fixture } from '../rig/fixture.ts'
import { hookedRepo } from '../rig/hooked-repo.ts'
import { testPage } from '../rig/page.ts'

const template = fixture(hookedRepo)

testPage(join(import.meta.dirname, 'registry-verbs.txt'), template)
