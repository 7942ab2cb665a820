import { describe, expect, test } from 'vitest'
import { gatherGitFacts } from '../../../src/world/commits/git-facts.ts'
import type { FactSource } from '../../../src/core/git/gatherer.ts'
import { gatherSync } from '../../../src/core/git/gatherer.ts'
import type { GitQuery } from '../../../src/core/git/query.ts'
import { gather } from '../../../src/world/io/git/gather.ts'

const OID = 'a'.repeat(40)
const change = (path: string, before = '100644') => `:${before} 100644 ${OID} ${OID} M\0${path}\0`
const BLOB = { mode: '100644', oid: OID }
const REGISTRY = '.orchestration/active_intents.yaml'

/** What git prints, by the first words of a question and its last argument; and the files of the git directory. */
type Repository = {
  readonly git: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** Answers from such a repository; the question number `failing` fails. */
function sourceOf({ git, files = {} }: Repository, failing = Infinity): FactSource & { readonly asked: string[] } {
  const asked: string[] = []
  const note = (question: string) => {
    asked.push(question)
    if (asked.length === failing) throw new Error(`${question} failed`)
  }
  const tryAsk = ({ args, parse }: GitQuery<unknown>): unknown => {
    const question = `${args.find(it => /^[a-z]+(-[a-z]+)*$/.test(it)) ?? ''} ${args.at(-1) ?? ''}`
    note(question)
    return git[question] === undefined ? null : parse(git[question])
  }
  return {
    asked,
    tryAsk,
    ask: query => {
      const answer = tryAsk(query)
      if (answer === null) throw new Error(`${asked.at(-1)} failed`)
      return answer
    },
    list: () => [],
    read: path => {
      note(`read ${path}`)
      return files[path] === undefined ? null : Buffer.from(files[path])
    },
    readEnd: () => null,
    exists: path => {
      note(`exists ${path}`)
      return files[path] !== undefined
    },
  }
}

const operation = { gitDir: '.git', namedSides: [] }
const MERGE: Repository = {
  git: {
    'diff-index HEAD': change('both') + change('ours') + change('fixed'),
    'diff-index theirs': change('both') + change('fixed'),
    'merge-tree theirs': 'tree\0fixed\0',
    'diff-index tree': change('fixed'),
  },
  files: { '.git/MERGE_HEAD': 'theirs\n' },
}

const REPOSITORIES: readonly (readonly [string, Repository, object])[] = [
  [
    'a plain commit',
    { git: { 'diff-index HEAD': change('a') } },
    { paths: ['a'], conflicted: null, inherited: [], adoption: false },
  ],
  [
    'the first commit of a branch, with the registry',
    { git: { 'hash-object /dev/null': 'empty', 'diff-index empty': change(REGISTRY, '000000') } },
    { paths: [REGISTRY], conflicted: null, inherited: [], adoption: true },
  ],
  [
    'a merge, of which only what git would not have made itself counts',
    MERGE,
    { paths: ['fixed'], conflicted: ['fixed'], inherited: [], adoption: false },
  ],
  [
    'a merge of three sides, where every difference counts as a conflict',
    {
      git: {
        'diff-index HEAD': change('a') + change('b'),
        'diff-index one': change('a') + change('b'),
        'diff-index two': change('a'),
        'diff-tree one': 'b\0',
        'diff-tree two': 'a\0',
      },
      files: { '.git/MERGE_HEAD': 'one\ntwo\n' },
    },
    { paths: ['a'], conflicted: ['b', 'a'], inherited: [], adoption: false },
  ],
  [
    'a pick, which inherits the work of the picked commit',
    {
      git: {
        'diff-index HEAD': change('a'),
        'log --': `${OID}\0\0subject\0me\0subject\n\nIntent-ID: INT-001\n\0${change('a')}`,
      },
      files: { '.git/CHERRY_PICK_HEAD': `${OID}\n` },
    },
    {
      paths: ['a'],
      conflicted: null,
      inherited: [{ intents: ['INT-001'], changes: [{ path: 'a', before: BLOB, after: BLOB }], parent: null }],
      reworked: [],
      settled: [],
      adoption: false,
    },
  ],
]

describe('the facts of a commit that is about to be made', () => {
  test.each(REPOSITORIES)('%s', async (_, repository, expected) => {
    const facts = gatherSync(sourceOf(repository), gatherGitFacts(operation))
    const { changes, ...others } = facts
    expect({ paths: changes.map(it => it.path), ...others }).toEqual({ broughtChanges: null, ...expected })
    const { ask, tryAsk, read, exists } = sourceOf(repository)
    const modifiedAt = async (path: string) => (exists(path) ? 1 : null)
    const ports = { git: { ask, tryAsk }, files: { read, modifiedAt } } as unknown as Parameters<typeof gather>[0]
    expect(await gather(ports, gatherGitFacts(operation))).toEqual(facts)
  })

  test.each(REPOSITORIES)('whichever question stays without an answer, there are none: %s', (_, repository) => {
    const { asked, ...source } = sourceOf(repository)
    gatherSync(source, gatherGitFacts(operation))
    expect(asked.length).toBeGreaterThan(3)
    for (const n of asked.keys())
      expect(() => gatherSync(sourceOf(repository, n + 1), gatherGitFacts(operation)), asked[n]).toThrow(/failed/)
  })

  test('a side that the environment names counts only when this repository has it', () => {
    const { files: _, ...merge } = MERGE
    const named = { ...operation, namedSides: ['0123'] }
    expect(gatherSync(sourceOf(merge), gatherGitFacts(named)).conflicted).toBe(null)
    const git = { ...merge.git, 'cat-file 0123^{commit}': '', 'diff-index 0123': '', 'merge-tree 0123': 'tree\0' }
    expect(gatherSync(sourceOf({ git }), gatherGitFacts(named)).conflicted).toEqual([])
  })
})
