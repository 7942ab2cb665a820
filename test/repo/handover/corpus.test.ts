import { describe, expect, test } from 'vitest'
import type { HandoverProblem } from '../../../src/core/handover/handover-problem.ts'
import { runCli } from '../../rig/command-line.ts'
import { fixture } from '../../rig/fixture.ts'
import { illegalChanges } from '../../rig/handover/corpus.ts'
import { commitUnjudged, corpusRepo, sessionOfRow } from '../../rig/handover/handover-repo.ts'
import { legalChanges } from '../../rig/handover/legal-changes.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { verifyFindings } from '../../rig/verify-findings.ts'

// What the role of the agent decides, a commit does not know.
const illegal = illegalChanges.filter(it => it.role === undefined)
const illegalRepo = fixture(() => corpusRepo(illegal))
const legalRepo = fixture(() => corpusRepo(legalChanges))

type Check = {
  readonly sessions: readonly { readonly session: string; readonly problems: readonly HandoverProblem[] }[]
}

describe('changes that break the contract', () => {
  test('are each found by kotef handover check', async () => {
    const { json, exit } = await runCli(illegalRepo(), 'handover', 'check')
    expect(exit).toBe(1)
    const found = new Map((json as Check).sessions.map(it => [it.session, it.problems.map(problem => problem.rule)]))
    illegal.forEach(({ title, rule }, n) => expect(found.get(sessionOfRow(n)), title).toContain(rule))
  })

  test('are each refused by the commit', async () => {
    await using repo = await copyGoverned(illegalRepo())
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
    expect({ code, stderr }).toMatchObject({ code: 1 })
    const { json } = await runCli(repo, 'verify', '--staged')
    const { findings } = json as { findings: { rule: string; path: string; level: string }[] }
    illegal.forEach(({ title, rule }, n) => {
      const ofRow = findings.filter(it => it.path.startsWith(`.agents-work/${sessionOfRow(n)}/`))
      expect(
        ofRow.map(it => `${it.level} ${it.rule}`),
        title,
      ).toContain(`block ${rule}`)
    })
  })

  test('are each found by verify', async () => {
    await using repo = await copyGoverned(illegalRepo())
    await commitUnjudged(repo, 'after')
    const findings = await verifyFindings(repo, 'HEAD^..HEAD')
    illegal.forEach(({ title, rule }, n) => {
      const name = `.agents-work/${sessionOfRow(n)}/`
      expect(
        findings.filter(it => it.includes(name)).map(it => it.split(' ').slice(0, 2).join(' ')),
        title,
      ).toContain(`block ${rule}`)
    })
  })
})

describe('changes that keep to the contract', () => {
  test('pass kotef handover check', async () => {
    const { json, exit } = await runCli(legalRepo(), 'handover', 'check')
    expect((json as Check).sessions.filter(it => it.problems.length > 0)).toEqual([])
    expect({ exit, sessions: (json as Check).sessions.length }).toEqual({ exit: 0, sessions: legalChanges.length })
  })

  test('pass the hooks of a commit, and verify', async () => {
    await using repo = await copyGoverned(legalRepo())
    const { code, stderr } = await repo.run('git', ['commit', '-qm', 'x', '-m', 'Intent-ID: INT-001'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await verifyFindings(repo, 'HEAD^..HEAD')).toEqual([])
  })
})

test('a session that is not there, and one of several, are asked for by name', async () => {
  const repo = legalRepo()
  const unknown = await runCli(repo, 'handover', 'check', 'x')
  expect(unknown.failure).toMatchObject({ code: 'unknown-handover', exit: 2 })
})
