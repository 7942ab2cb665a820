import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SlowFilesFirst } from './rig/slow-files-first.ts'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/rig/global-setup.ts'],
    setupFiles: ['test/rig/seal-worker.ts'],
    pool: 'forks',
    // Tests wait for daemons, and a second worker uses that time. Where the kernel has one lock for new pages, a third
    // one makes processes start at half the speed.
    maxWorkers: 2,
    sequence: { sequencer: SlowFilesFirst },
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A machine that has other things to do takes its time.
    expect: { poll: { timeout: 30_000 } },
  },
})
