import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import {
  GATED_AGENTS,
  askGate,
  bashTool,
  bindSession,
  callHook,
  type ToolUse,
  writeTool,
} from '../../rig/agent-gate.ts'
import { copyGoverned } from '../../rig/hooked-repo.ts'
import { AS_UNPRIVILEGED } from '../../rig/file-permissions.ts'
import { unselectedRepo } from '../../rig/selection.ts'

const REGISTRY = '.orchestration/active_intents.yaml'
const LEDGER = '.orchestration/agent_trace.jsonl'
const CLAIM = '.git/refs/kotef/claims/INT-001'
const EACH_SESSION = 'for it in .git/kotef/sessions/*.json; do'

/** What is done to the state of a session that has selected INT-001, and what the agent is told of it. */
const damages: readonly (readonly [what: string, damage: string, reported: RegExp])[] = [
  ['no registry', `rm ${REGISTRY}`, /There is no .*active_intents/],
  ['no folder for it', 'rm -rf .orchestration', /There is no .*active_intents/],
  ['a file in place of that folder', 'rm -rf .orchestration; echo x > .orchestration', /./],
  ['a registry that is no YAML', `printf 'active_intents: [' > ${REGISTRY}`, /active_intents\.yaml has \d problems?/],
  ['a registry that is no text', `printf '\\377\\376' > ${REGISTRY}`, /is not UTF-8/],
  ['an empty registry', `: > ${REGISTRY}`, /active_intents/],
  ['a registry that nobody may read', `chmod 0 ${REGISTRY}`, /you have no permission/],
  ['a directory in place of the registry', `rm ${REGISTRY}; mkdir ${REGISTRY}`, /it is a directory/],
  [
    'a registry that links to itself',
    `rm ${REGISTRY}; ln -s active_intents.yaml ${REGISTRY}`,
    /symbolic link in a circle/,
  ],
  ['a damaged config', `printf 'claims: maybe' > .orchestration/config.yaml`, /config\.yaml has 1 problem/],
  [
    'an .intentignore that nobody may read',
    'echo x > .intentignore; chmod 0 .intentignore',
    /intentignore can't be read/,
  ],
  [
    'a line of 70 KB in .intentignore',
    `printf 'secret/%070000d' 0 > .intentignore`,
    /\.intentignore:1 is longer than 4096 characters/,
  ],
  [
    'a session that was cut off',
    `${EACH_SESSION} head -c 20 $it > ../cut; cat ../cut > $it; done`,
    /A session can't be read/,
  ],
  ['an empty session', `${EACH_SESSION} : > $it; done`, /A session can't be read/],
  [
    'a session of another shape',
    `${EACH_SESSION} echo '{"id":"s","intent":7}' > $it; done`,
    /valid `kind` in a session/,
  ],
  ['a session that nobody may read', `${EACH_SESSION} chmod 0 $it; done`, /A session can't be read/],
  ['a directory in place of the session', `${EACH_SESSION} rm $it; mkdir $it; done`, /A session can't be read/],
  ['a claim that is no ref', `echo garbage > ${CLAIM}`, /claim on INT-001 can't be read/],
  ['a claim on an object that is not there', `echo ${'1'.repeat(40)} > ${CLAIM}`, /claim on INT-001 can't be read/],
  [
    'a claim that says nothing',
    `git update-ref refs/kotef/claims/INT-001 $(echo x | git hash-object -w --stdin)`,
    /claim/,
  ],
  ['a claim on a commit', 'git update-ref refs/kotef/claims/INT-001 HEAD', /claim on INT-001 can't be read/],
  ['a packed claim that says nothing', 'git update-ref refs/kotef/claims/INT-001 HEAD; git pack-refs --all', /claim/],
  [
    'a file in place of all claims',
    'rm -r .git/refs/kotef/claims; echo x > .git/refs/kotef/claims',
    /claim on INT-001 can't be read/,
  ],
  ['a file in place of the refs of kotef', 'rm -r .git/refs/kotef; echo x > .git/refs/kotef', /claim on INT-001 can't/],
  ['a directory in place of the claim', `rm ${CLAIM}; mkdir ${CLAIM}`, /claim on INT-001 can't be read/],
  ['a ledger that nobody may read', `touch ${LEDGER}; chmod 0 ${LEDGER}`, /agent_trace\.jsonl can't be read/],
  [
    'a ledger that nobody may write',
    `touch ${LEDGER}; chmod 400 ${LEDGER}`,
    /agent_trace\.jsonl can't be read and written/,
  ],
  ['a directory in place of the ledger', `rm -f ${LEDGER}; mkdir ${LEDGER}`, /agent_trace\.jsonl is a directory/],
  ['a repository without a HEAD', 'echo garbage > .git/HEAD', /Git can't read the repository/],
  ['a repository with a damaged config', "echo '[' > .git/config", /Git can't read the repository/],
]

/** What is derived, and made anew: the judgement is the same as if nothing had happened. */
const healed: readonly (readonly [what: string, damage: string])[] = [
  ['compiled for the hooks: cut off', 'head -c 99 state.json > ../cut; cat ../cut > state.json'],
  ['compiled for the hooks: empty', ': > state.json'],
  ['compiled for the hooks: of another shape', 'sed -i \'s/"owned_scope":\\[/"owned_scope":7,"x":[/\' state.json'],
  [
    'compiled for the hooks: with a wider scope',
    'sed -i \'1s/"owned_scope":\\[[^]]*/"owned_scope":["**"/\' state.json',
  ],
  ['compiled for the hooks: open to others', 'chmod 666 state.json'],
  ['compiled for the hooks: a directory', 'rm state.json; mkdir state.json'],
  ['compiled for the hooks: unreadable', 'chmod 0 state.json'],
  ['compiled for the hooks: gone', 'cd ..; rm -rf compiled'],
]

const template = fixture(async () => {
  const template = await unselectedRepo()
  await bindSession(template)
  return template
})

// What the agent asks for does not change what is known of the damage, and each agent's form is its adapter's.
const uses: readonly (readonly [agent: (typeof GATED_AGENTS)[number], use: ToolUse])[] = [
  ['claude', writeTool('src/a.ts')],
  ['generic', bashTool('node -e 1')],
  ['claude', { tool: 'mcp__files__write', input: { path: 'src/a.ts' } }],
]

// Of a mode, root takes no notice: a hook in a process of its own does.
const caller = (damage: string) => (damage.includes('chmod') ? { before: AS_UNPRIVILEGED } : {})

test.each(damages)('FR-011, SC-007: %s: nothing that changes something is allowed', async (_, damage, reported) => {
  await using repo = await copyGoverned(template())
  await repo.play(damage)
  // A process of its own is worth one question of each agent.
  for (const [agent, use] of damage.includes('chmod') ? uses.slice(0, 2) : uses) {
    const { kind, refusal } = await askGate(repo, agent, { ...use, ...caller(damage) })
    expect({ kind, refusal }, JSON.stringify(use)).toMatchObject({
      kind: 'denied',
      refusal: { status: 'error', error_type: 'orchestration-unavailable', recoverable: false },
    })
    expect(refusal['message']).toMatch(/^orchestration unavailable: /)
    expect(refusal['message']).toMatch(reported)
  }
  const reading = { tool: 'Read', input: { file_path: 'src/a.ts' }, ...caller(damage) }
  expect(await askGate(repo, 'claude', reading)).toMatchObject({ kind: 'allowed', exit: 0 })
  expect((await callHook(repo, 'generic', { at: 'after-tool', ...reading })).exit).toBe(0)
})

test.each(healed)('%s: it is judged all the same', async (_, damage) => {
  await using repo = await copyGoverned(template())
  await repo.play(`cd .git/kotef/compiled; ${damage}`)
  expect(await askGate(repo, 'claude', { ...writeTool('docs/b.md'), ...caller(damage) })).toMatchObject({
    refusal: { path: 'docs/b.md' },
  })
  expect(await askGate(repo, 'generic', { ...writeTool('src/a.ts'), ...caller(damage) })).toMatchObject({
    kind: 'allowed',
  })
})
