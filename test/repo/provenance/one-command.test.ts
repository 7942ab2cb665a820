import { describe, expect, test } from 'vitest'
import { schemaFaults } from '../../../src/core/ledger/agent-trace.ts'
import { annotateCommits } from '../../../src/world/provenance/annotate-commits.ts'
import { blamePath } from '../../../src/world/provenance/blame.ts'
import { openWorkspace } from '../../../src/world/io/worktree/workspace.ts'
import { claudeSession } from '../../rig/agent-hooks.ts'
import { flushedRecords, flushedWrites, governedRepo, startWatching } from '../../rig/governed-repo.ts'
import type { Repo } from '../../rig/repo.ts'

// A command that writes a file, commits it and leaves the commit again is quicker than any watcher.

const OLD = Array.from({ length: 8 }, (_, n) => `export const old${n} = theOldValueOfNumber(${n})\n`).join('')
const text = (name: string) => `export const ${name} = theNewValueOf('${name}')`
const commit = (message: string) => `git add -A src; git commit -qm ${message}`

const started = (agent?: string) => governedRepo({ 'src/a.js': OLD }, agent === undefined ? {} : { agent })

/** The authors of the lines of a file that are not old ones, with their doubts. */
async function newAuthors(repo: Repo, path: string, revision: string): Promise<string[]> {
  await flushedRecords(repo)
  const workspace = await openWorkspace(repo.root)
  await annotateCommits(workspace, { isWatched: true })
  const texts = (await repo.git('show', `${revision}:${path}`)).split('\n')
  const lines = await blamePath(workspace, { path, revision })
  return lines
    .filter(it => !OLD.includes(`${texts[it.line - 1]}\n`))
    .map(({ author }) => `${author.contributor.type}${author.doubt ? `, or a ${author.doubt}` : ''}`)
}

const AGENTS: readonly (readonly [what: string, command: string, asked: readonly [path: string, revision: string]])[] =
  [
    [
      'a new file on a branch that it leaves',
      `git checkout -q -b side; echo "${text('onSide')}" >src/n.js; ${commit('side')}; git checkout -q main`,
      ['src/n.js', 'side'],
    ],
    [
      'a line, on a branch that it leaves',
      `git switch -qc side; sed -i "3s/.*/${text('third')}/" src/a.js; ${commit('side')}; git switch -q main`,
      ['src/a.js', 'side'],
    ],
    [
      'a short line',
      `git switch -qc side; sed -i "3s/.*/x = 1/" src/a.js; ${commit('side')}; git switch -q main`,
      ['src/a.js', 'side'],
    ],
    [
      'two commits, one after the other',
      `git switch -qc side; echo "${text('one')}" >>src/a.js; ${commit('one')}
        echo "${text('two')}" >>src/a.js; ${commit('two')}; git switch -q main`,
      ['src/a.js', 'side'],
    ],
    [
      'a commit that it amends',
      `git switch -qc side; echo "${text('one')}" >>src/a.js; ${commit('one')}
        echo "${text('two')}" >>src/a.js; git commit -qa --amend --no-edit; git switch -q main`,
      ['src/a.js', 'side'],
    ],
    [
      'a commit that it takes back',
      `echo "${text('gone')}" >>src/a.js; ${commit('gone')}; git branch kept; git reset -q --hard HEAD~1`,
      ['src/a.js', 'kept'],
    ],
  ]

const OTHERS: readonly (readonly [what: string, command: string])[] = [
  [
    'a file that a person wrote before the watcher ran',
    `git switch -qc side; git add src; git commit -qm side; git switch -q main`,
  ],
  [
    'the squash of another branch',
    `git switch -qc side; git merge -q --squash theirs; git commit -qm side; git switch -q main`,
  ],
  ['a commit of another branch', `git switch -qc side; git cherry-pick theirs; git switch -q main`],
]

describe('what others wrote is not the agent’s that commits it:', () => {
  test.each(OTHERS)('%s', async (_, command) => {
    await using repo = await started()
    // Git makes a text of both sides that was never there before.
    await repo.play(`export GIT_COMMITTER_DATE=2025-01-01T00:00:00Z; git config core.hooksPath /dev/null
      git switch -qc theirs; echo "${text('byOthers')}" >>src/a.js; git commit -qam theirs; git switch -q main
      sed -i "1s/.*/${text('first')}/" src/a.js; git commit -qam ours; git config --unset core.hooksPath`)
    if (!command.includes('theirs')) await repo.write('src/a.js', `${OLD}${text('from before')}\n`)
    await using _daemon = await startWatching(repo)
    const claude = claudeSession(repo, 's-1')
    await claude.willRun(command)
    expect(await repo.run('sh', ['-ec', command])).toMatchObject({ code: 0 })
    await claude.hasRun(command)
    expect((await newAuthors(repo, 'src/a.js', 'side')).map(it => it.split(',')[0])).not.toContain('ai')
  })
})

test('a person’s command is a person’s, after commands of an agent whose windows were seen open', async () => {
  await using repo = await started()
  await using _daemon = await startWatching(repo)
  const claude = claudeSession(repo, 's-1')
  const leave = (name: string) =>
    `git switch -qc ${name}; echo "${text(name)}" >>src/a.js; ${commit(name)}; git switch -q main`
  for (const command of [leave('one'), 'make two']) {
    await claude.willRun(command)
    if (command !== 'make two') await repo.play(command)
    await flushedRecords(repo)
    await claude.hasRun(command)
  }
  await repo.play(leave('mine'))
  expect([await newAuthors(repo, 'src/a.js', 'one'), await newAuthors(repo, 'src/a.js', 'mine')]).toEqual([
    ['ai, or a person'],
    ['human'],
  ])
})

test('a line that an autosquashed fixup changes, and its file comes back as it was, is the agent’s', async () => {
  await using repo = await governedRepo({ 'src/a.js': OLD }, { agent: 'aider' })
  await using _daemon = await startWatching(repo)
  const change = (line: number, name: string) => `sed -i "${line}s/.*/${text(name)}/" src/a.js`
  await repo.play('git switch -qc topic')
  for (const [line, name] of [
    [1, 'first'],
    [3, 'third'],
  ] as const) {
    await repo.play(change(line, name))
    await flushedRecords(repo)
    await repo.play(commit(name))
  }
  await flushedRecords(repo)
  const fix = `${change(1, 'fixed')}; git commit -qa --fixup=HEAD~1`
  await repo.play(`${fix}; GIT_SEQUENCE_EDITOR=true git rebase -q -i --autosquash main`)
  expect(await newAuthors(repo, 'src/a.js', 'topic')).toEqual(['ai', 'ai'])
})

describe('the lines of one command of an agent are the agent’s, or a person’s who wrote meanwhile:', () => {
  test.each(AGENTS)('%s', async (_, command, [path, revision]) => {
    await using repo = await started()
    await using _daemon = await startWatching(repo)
    const claude = claudeSession(repo, 's-1')
    await claude.willRun(command)
    expect(await repo.run('sh', ['-ec', command])).toMatchObject({ code: 0 })
    await claude.hasRun(command)
    const authors = await newAuthors(repo, path, revision)
    expect([...new Set(authors)]).toEqual(['ai, or a person'])
    for (const it of await flushedWrites(repo)) expect(schemaFaults(it)).toEqual([])
  })
})

/** What git shows no trace of afterwards. */
const LOST: readonly (readonly [what: string, command: string, asked: readonly [path: string, revision: string]])[] = [
  [
    'in a worktree that it adds and removes',
    `git worktree add -q ../w -b side; cd ../w; echo "${text('there')}" >src/n.js; ${commit('side')}; cd ../repo
      git worktree remove ../w`,
    ['src/n.js', 'side'],
  ],
  [
    'into a patch that it goes on to apply, within a second',
    `git am -q -3 ../*.patch || :; echo "${text('merged')}" >src/a.js; git add src; git am -q --continue`,
    ['src/a.js', 'main'],
  ],
]

describe('what one command writes has no author, rather than a wrong one:', () => {
  test.each(LOST)('%s', async (_, command, [path, revision]) => {
    await using repo = await started()
    const first = (name: string) => `sed -i "1s/.*/${text(name)}/" src/a.js`
    await repo.play(`git switch -qc theirs; ${first('byOthers')}; git commit -qam theirs; git format-patch -q -1 -o ..
      git switch -q main; ${first('first')}; git commit -qam ours`)
    await using _daemon = await startWatching(repo)
    const claude = claudeSession(repo, 's-1')
    await claude.willRun(command)
    await repo.play(command)
    await claude.hasRun(command)
    expect(['unknown', 'ai', 'ai, or a person']).toContain((await newAuthors(repo, path, revision))[0])
  })
})
