import { describe, expect, test } from 'vitest'
import { ledgerEvents } from '../rig/ledger-events.ts'
import { type Repo, temporaryRepo } from '../rig/repo.ts'
import { startAtTerminal } from '../rig/terminal.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const CRITERIA = '["it reads well", "it is fast", { cmd: "true" }]'
const attestable = (criteria = CRITERIA) =>
  temporaryRepo({
    'src/b.ts': '',
    [REGISTRY]: `active_intents: [{ id: INT-001, name: a, status: IN_PROGRESS, acceptance_criteria: ${criteria} }]\n`,
  })

/** Answers each question of `kotef attest`. */
async function attest(repo: Repo, ...answers: readonly [question: RegExp, keys: string][]) {
  await using terminal = startAtTerminal(repo, ['attest', 'INT-001'])
  for (const [question, keys] of answers) {
    await terminal.line(question)
    terminal.type(keys)
  }
  const { code } = await terminal.ended
  return { code, text: terminal.lines.join('\n') }
}

const attested = async (repo: Repo) => {
  const { stdout } = await repo.kotef('check', 'INT-001', '--json')
  return (JSON.parse(stdout) as { attested: string[] }).attested
}

describe('kotef attest', () => {
  test('a person attests on the files as they are: a change takes it back, undoing it brings it again', async () => {
    await using repo = await attestable()
    const half = await attest(repo, [/it reads well/, 'y'], [/it is fast/, 'n'])
    expect(half).toMatchObject({ code: 1, text: expect.stringContaining('1 of 2 criteria attested') })
    expect(await attested(repo)).toEqual(['it reads well'])
    const [event] = (await ledgerEvents(repo)).filter(it => it['event'] === 'attested')
    expect(event).toMatchObject({
      intent: 'INT-001',
      criteria: ['it reads well'],
      tree: expect.stringMatching(/^\w{40}$/),
    })

    await repo.write('src/b.ts', 'other\n')
    expect(await attested(repo)).toEqual([])
    expect((await repo.kotef('intent', 'complete', 'INT-001')).stdout).toContain('it reads well: not attested')
    await repo.write('src/b.ts', '')
    expect(await attest(repo, [/it is fast/, 'y'])).toMatchObject({ code: 0, text: expect.stringContaining('2 of 2') })
    expect((await repo.kotef('intent', 'complete', 'INT-001')).code).toBe(0)
  })

  test('an intent without criteria is attested as a whole', async () => {
    await using repo = await attestable('[]')
    expect(await attest(repo, [/The work is done/, 'y'])).toMatchObject({ code: 0 })
    expect((await repo.kotef('intent', 'complete', 'INT-001')).code).toBe(0)
  })

  test('neither a script nor an agent can', async () => {
    await using repo = await attestable()
    expect(await repo.kotef('attest', 'INT-001')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/a terminal\.\n.*: `.*kotef attest INT-001`/),
    })
    const env = { ...repo.env(), CLAUDECODE: '1' }
    const byAgent = await repo.run('kotef', ['attest', 'INT-001'], { env })
    expect(byAgent).toMatchObject({ code: 3, stderr: expect.stringContaining('a person must') })
    expect(await attested(repo)).toEqual([])
  })
})
