import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fixture } from '../rig/fixture.ts'
import { GOVERNANCE_GLOBS } from '../../src/core/intents/config.ts'
import { fastPathText } from '../../src/core/intents/scope/fast-path-file.ts'
import { scopeAttributes } from '../../src/core/intents/scope/attributes.ts'
import { judgePath } from '../../src/core/intents/scope/judge-path.ts'
import { ALWAYS_COMMITTABLE } from '../../src/core/base/governance-files.ts'
import { temporaryRepo } from '../rig/repo.ts'
import { anyLimits, anyPath, braceCase, type ScopeLimits, ownedCase, pathMatching } from '../rig/scope-arbitraries.ts'

const repo = fixture(() => temporaryRepo({ 'a.ts': 'a\n' }))

/** Limits, and paths of which many meet one of their globs, one of them within one segment of another. */
const cases = fc
  .oneof(anyLimits, ownedCase, braceCase)
  .chain(limits => fc.tuple(fc.constant(limits), fc.array(pathNear(limits), { minLength: 300, maxLength: 300 })))

function pathNear({ scope, forbidden, ignored }: ScopeLimits): fc.Arbitrary<string> {
  const globs = [...scope, ...forbidden, ...ignored.filter(it => !/^[#!]/.test(it)).map(it => it.replace(/^\//, ''))]
  const beyond = (it: fc.Arbitrary<string>) => fc.tuple(it, anyPath).map(both => both.join('/'))
  const near = globs.map(pathMatching)
  const fixed = fc.constantFrom(
    ...ALWAYS_COMMITTABLE,
    'AGENTS.md',
    'Agents.md',
    'x/AGENTS.md',
    'x/.Claude/y',
    '.orchestration',
  )
  const otherCase = (it: fc.Arbitrary<string>) => it.map(path => path.replace(/[a-z]/, letter => letter.toUpperCase()))
  return fc.oneof(anyPath, ...near, ...near, ...near.map(beyond), ...near.map(otherCase), fixed)
}

test('each path that git finds inside of a compiled scope is one that the intent owns', async () => {
  const passed = { scopes: 0, paths: 0, owned: 0 }
  for (const [{ scope, forbidden, ignored: intentignore }, paths] of fc.sample(cases, { numRuns: 150, seed: 7 })) {
    const policy = { intents: [], governance: GOVERNANCE_GLOBS, forbidden, intentignore }
    const attributes = scopeAttributes(scope, policy)
    if (!attributes) continue
    const judge = judgePath(policy)
    const isOwned = (it: string) => ALWAYS_COMMITTABLE.includes(it) || judge(scope, asText(it)).kind === 'owned'
    const inside = await insideOf(
      fastPathText({ root: '/', intent: 'INT-001', head: '*', mark: 'm', attributes }) ?? '',
      paths,
    )
    expect({ ...policy, scope, wrong: inside.filter(it => !isOwned(it)) }).toEqual({ ...policy, scope, wrong: [] })
    passed.scopes++
    passed.paths += inside.length
    passed.owned += paths.filter(isOwned).length
  }
  // A scope that nothing is inside of proves nothing.
  expect(passed.scopes).toBeGreaterThan(60)
  expect(passed.paths).toBeGreaterThan(passed.owned * 0.8)
})

/** The paths, as latin1, that have both marks in git's eyes. */
async function insideOf(active: string, paths: readonly string[]): Promise<string[]> {
  await repo().write('../active', active)
  await repo().write('../paths', Buffer.from(paths.map(it => `${it}\0`).join(''), 'latin1'))
  const settings = '-c core.attributesFile=../active -c core.ignoreCase=false'
  await repo().play(`git ${settings} check-attr -z --stdin in-m end-m <../paths >../found`)
  const fields = (await readFile(join(repo().base, 'found'), 'latin1')).split('\0')
  return paths.filter((_, n) => fields[6 * n + 2] === 'set' && fields[6 * n + 5] === 'set')
}

// What is no UTF-8 has no spelling.
function asText(path: string): string {
  const bytes = Buffer.from(path, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : '\uFFFD'
}
