import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { sealedEnvironment } from './sealed-environment.ts'

// What a test calls in-process starts git with this environment, so it is sealed as well. Vitest's own stays.
const run = process.env['KOTEF_TEST_RUN'] ?? ''
const sealed = sealedEnvironment({ home: mkdtempSync(join(run, 'w-')) })
for (const name of Object.keys(process.env)) {
  if (!/^(VITEST|NODE_ENV$|KOTEF_TEST_|TINYPOOL|DEV$|PROD$|MODE$|TEST$|BASE_URL$|SSR$)/.test(name))
    delete process.env[name]
}
Object.assign(process.env, sealed)
