import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../rig/packed-kotef.ts'
import { missingTests, testsNamedIn } from './named-tests.ts'
import { roomOf } from './paths.ts'
import { floors } from './rooms.ts'
import { exportedNames, invariantsOnMap, roomsOnMap } from './tree-rules.ts'
import { sourceOf } from './source.ts'

const page = readFileSync(join(repositoryRoot, 'src/README.md'), 'utf8')
const rooms = Object.entries(floors).flatMap(([floor, names]) => names.map(it => `${floor}/${it}`))
const walks = (/## Five walks\n([^]*?)\n## /.exec(page)?.[1] ?? '').split(/^### .*$/m).slice(1)
const named = walks.flatMap(it => [...it.matchAll(/`((?:\.\.\/)?[a-z-]+\/[a-z/.-]*)`/g)]).map(it => it[1] ?? '')

test('src is its map and three floors, and the map has the rooms of each in the order in which they import', () => {
  expect(readdirSync(join(repositoryRoot, 'src')).sort()).toEqual(['README.md', ...Object.keys(floors)].sort())
  for (const [floor, names] of Object.entries(floors)) {
    const folders = readdirSync(join(repositoryRoot, 'src', floor)).sort()
    expect([...new Set(names.map(it => it.split('/')[0]))].sort()).toEqual(folders)
    expect(roomsOnMap(page, floor)).toEqual(names)
  }
})

test('each invariant of the map names a test that is there', () => {
  const invariants = invariantsOnMap(page)
  expect(invariants.length).toBeGreaterThan(40)
  expect(invariants.filter(it => testsNamedIn(it).length === 0)).toEqual([])
  expect(missingTests(invariants.flatMap(testsNamedIn))).toEqual([])
})

test('the map has five walks of 12 lines at most, and every file that it names is there', () => {
  expect(walks.map(it => it.trim().split('\n').length <= 12)).toEqual(Array(5).fill(true))
  expect(named.filter(it => !existsSync(join(repositoryRoot, 'src', it)))).toEqual([])
})

test('the walks pass through every room', () => {
  const passed = new Set(named.map(it => roomOf(`src/${it}`)))
  expect(rooms.filter(it => !passed.has(it))).toEqual([])
})

test('a name in a walk is exported by the file before it', () => {
  const names = walks.flatMap(it => [...it.matchAll(/`([a-z/-]+\.ts)`\s+`([A-Za-z]+)`/g)])
  expect(names.length).toBeGreaterThan(8)
  const exporting = ([, file = '', name = '']: readonly string[]): boolean => {
    const path = `src/${file}`
    return exportedNames(sourceOf(path, readFileSync(join(repositoryRoot, path), 'utf8'))).includes(name)
  }
  expect(names.filter(it => !exporting(it)).map(it => it[0])).toEqual([])
})
