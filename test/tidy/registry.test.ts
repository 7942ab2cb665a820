import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRegistry } from '../../src/core/intents/registry.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'

test('the intents of this repository name folders that are there, and one that is completed owns less than src', () => {
  const text = readFileSync(join(repositoryRoot, '.orchestration/active_intents.yaml'), 'utf8')
  const { intents, problems } = readRegistry(text)
  expect(problems).toEqual([])
  const folders = intents.flatMap(it => it.owned_scope).flatMap(it => /^!?([^*?{]+)\/\*\*$/.exec(it)?.[1] ?? [])
  expect(folders.length).toBeGreaterThan(50)
  expect(folders.filter(it => !existsSync(join(repositoryRoot, it)))).toEqual([])
  const wide = intents.filter(it => it.status === 'COMPLETED' && it.owned_scope.includes('src/**'))
  expect(wide.map(it => it.id)).toEqual([])
})
