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
    // As many as a small machine has cores. Tests start processes all the time, and where the kernel has a lock for new
    // pages, one worker more than that starts them at half the speed.
    maxWorkers: 2,
    sequence: { sequencer: SlowFilesFirst },
    isolate: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A machine that has other things to do takes its time.
    expect: { poll: { timeout: 30_000 } },
  },
})
