import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verbs } from '../../src/shells/cli/verbs.ts'
import { AGENT_SETUPS } from '../../src/world/setup/agents/agent-setups.ts'
import { VERSION } from '../../src/world/io/files/package.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const readme = read('README.md')

test('the README is read in a few minutes', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(WORDS_MAX)
})

// What a person reads of a page before he tries something else, in three or four minutes.
const WORDS_MAX = 900

test('what the README shows of a terminal is part of the main job, which is played', () => {
  const shown = [...readme.matchAll(/```console\n(\$ [^]*?)\n```/g)].map(it => it[1] ?? '')
  expect(shown).toHaveLength(2)
  for (const it of shown) expect(read('docs/main-job.md')).toContain(`\n${it}\n`)
})

test('every command in the README is one', () => {
  const usages = verbs.map(it => it.usage.replace(/ [<[].*/, ''))
  const [, table = ''] = /\| `npx kotef-watch …` \| \|\n([^]*?)\n\n/.exec(readme) ?? []
  const inTable = [...table.matchAll(/`([a-z]+(?: [a-z]+(?=`))?)/g)].map(it => it[1] ?? '')
  const inProse = [...readme.matchAll(/npx (?:--yes )?kotef-watch(?:@[\d.]+)? ([a-z]+(?: (?:add|start))?)/g)].map(
    it => it[1] ?? '',
  )
  expect([inTable.length, inProse.length > 4]).toEqual([11, true])
  expect([...inTable, ...inProse].filter(it => !usages.includes(it))).toEqual([])
})

test('the README names each agent that init knows, and the version that there is', () => {
  const [, names = ''] = /The names are ([^]*?) for any that reads/.exec(readme) ?? []
  expect([...names.matchAll(/`(\w+)`/g)].map(it => it[1]).sort()).toEqual(AGENT_SETUPS.map(it => it.name).sort())
  expect(readme).toContain(`kotef-watch@${VERSION} verify --ci`)
})
