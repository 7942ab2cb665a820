import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { needsPrograms } from './rig/needs-programs.ts'
import { SlowFilesFirst } from './rig/slow-files-first.ts'
import { workerCount } from './rig/worker-count.ts'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/rig/global-setup.ts'],
    setupFiles: ['test/rig/seal-worker.ts'],
    pool: 'forks',
    maxWorkers: needsPrograms(process.argv) ? workerCount() : 2,
    sequence: { sequencer: SlowFilesFirst },
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A machine that has other things to do takes its time.
    expect: { poll: { timeout: 30_000 } },
  },
})
