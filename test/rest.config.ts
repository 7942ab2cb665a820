import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests that `npm test` leaves out: `npm run test:rest`. */
export default defineConfig({
  ...base,
  test: { ...base.test, exclude: ['test/{core,world,shells,tidy}/**', 'test/*.test.ts', '**/*.story.test.{ts,tsx}'] },
})
