import sarif from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' }
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { runCli } from '../../rig/command-line.ts'
import { runCommands } from '../../rig/judged-repo.ts'
import { hookedRepo } from '../../rig/hooked-repo.ts'
import { bypass } from '../../rig/verify-findings.ts'

const SECRET = 'ghp_0123456789plantedSecret'
// What would begin a command of a pipeline, end a property, or leave a link.
const ODD = 'lib/a,b:c%0A ünï.ts'
const SUBJECT = '::error::no %, or\u202e so'

// Every file that `w` changes holds a secret, and so does a line that git replaces.
const repo = fixture(async () => {
  const repo = await hookedRepo()
  await repo.write(ODD, `${SECRET}\n`)
  await repo.write('lib/key', `${SECRET}\n`)
  await runCommands(repo, `${bypass('before', 'Intent-ID: INT-001')}; git switch -qc w; echo '${SECRET}' >>src/a.ts`)
  await repo.write(ODD, 'no more\n')
  await runCommands(
    repo,
    `${bypass(SUBJECT, 'Intent-ID: INT-001')}; echo '# ${SECRET}' >>.orchestration/config.yaml
    ${bypass('govern', 'Governance: why')}; echo ${SECRET} >>src/a.ts; ${bypass('fixup! bare')}`,
  )
  return repo
})

const verify = (...words: string[]) => runCli(repo(), 'verify', 'main..w', ...words)

describe('SARIF', () => {
  // The schema is of an older draft, which differs for us in how it names itself.
  const { $schema: _, id: __, ...schema } = sarif
  const isSarif = withFormats(new Ajv({ strict: false, unicodeRegExp: false })).compile(schema)

  test('is what the schema of 2.1.0 asks for, with findings and without', async () => {
    for (const words of [['w'], ['main..w', '--sarif'], ['main~1..main', '--format', 'sarif']]) {
      const { text } = await runCli(repo(), 'verify', '--format', 'sarif', ...words)
      expect(isSarif(JSON.parse(text)), JSON.stringify(isSarif.errors)).toBe(true)
    }
    expect(isSarif({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false)
  })

  test('has a result with a place and a rule for each finding', async () => {
    const { text, exit } = await verify('--sarif')
    const [{ results, tool }] = (JSON.parse(text) as { runs: [{ results: Result[]; tool: Tool }] }).runs
    expect(exit).toBe(1)
    expect(results.map(it => `${it.level} ${it.ruleId}`)).toEqual([
      'error in-scope',
      'warning governance-changed',
      'error intent-named',
      'warning autosquash',
    ])
    expect(results.map(it => tool.driver.rules[it.ruleIndex]?.id)).toEqual(results.map(it => it.ruleId))
    const [{ artifactLocation } = { artifactLocation: { uri: '' } }] = (results[0]?.locations ?? []).map(
      it => it.physicalLocation,
    )
    expect(decodeURIComponent(artifactLocation.uri)).toBe(ODD)
    expect(artifactLocation.uri).toMatch(/^lib\/[\w%.]+$/)
  })
})

function withFormats(ajv: Ajv): Ajv {
  return formats.default(ajv)
}

type Result = {
  level: string
  ruleId: string
  ruleIndex: number
  locations: { physicalLocation: { artifactLocation: { uri: string } } }[]
}
type Tool = { driver: { rules: { id: string }[] } }

test('annotations of GitHub are one line each, whatever a path or a subject says (team A8, P1, P2)', async () => {
  const { stdout, code } = await repo().kotef('verify', 'main..w', '--format', 'github')
  expect(code).toBe(1)
  const [first, ...lines] = stdout.trimEnd().split('\n')
  expect(first).toBe('kotef: 3 commits judged, 2 problems, 2 things to look at.')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(
    /^::error file=lib\/a%2Cb%3Ac%250A ünï\.ts,title=kotef%3A in-scope::[0-9a-f]{10} ::error::no %25, or\\u202e so: /,
  )
  expect(lines[0]).toMatch(/ is outside intent INT-001%0ADrop or change that commit: `git rebase [^`]*`$/)
  expect(lines.slice(1).map(it => it.split('::')[1]?.split(',')[0])).toEqual([
    'warning file=.orchestration/config.yaml',
    'error title=kotef%3A intent-named',
    'warning title=kotef%3A autosquash',
  ])
})

test('no output tells what stands in a file', async () => {
  const all = [[], ['--json'], ['--format', 'json'], ['--sarif'], ['--format', 'github']]
  for (const words of all) {
    const { stdout, stderr } = await repo().kotef('verify', 'main..w', ...words)
    expect(stdout + stderr, words.join(' ')).toMatch(/in-scope/)
    expect(stdout + stderr, words.join(' ')).not.toContain(SECRET)
  }
})
