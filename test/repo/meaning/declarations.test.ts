import { expect, test } from 'vitest'
import { fixture } from '../../rig/fixture.ts'
import { temporaryRepo } from '../../rig/repo.ts'

const repo = fixture(() =>
  temporaryRepo({
    'src/pay.ts': '@Injectable()\nexport class Pay {\n  refund() {\n    return 1\n  }\n}\n',
    'src/pay.py': 'LIMIT = 1\n',
    'src/empty.go': 'package empty\n',
    'notes.md': '# Notes\n',
    'large.ts': `const a = '${'x'.repeat(1_048_576)}'\n`,
  }),
)

const CLASS = { name: 'Pay', kind: 'class', start_line: 1, end_line: 6, line: 2, container: null }
const METHOD = { name: 'refund', kind: 'method', start_line: 3, end_line: 5, line: 3, container: 'Pay' }
const LIMIT = { name: 'LIMIT', kind: 'constant', start_line: 1, end_line: 1, line: 1, container: null }

const jsonl = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map(it => JSON.parse(it) as unknown)

test('declarations are listed with their lines, and a file without any says why', async () => {
  const { code, stdout } = await repo().kotef('declarations', 'src/pay.ts', 'src/empty.go', 'notes.md', 'large.ts')
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      'src/pay.ts:1-6  class     Pay',
      'src/pay.ts:3-5  method    Pay.refund',
      'src/empty.go: no declarations.',
      'notes.md: no declarations are known, because kotef has no grammar for this kind of file.',
      'large.ts: no declarations are known, because it is larger than 1 MiB.',
      '',
    ],
  ])
})

test('--json is one document of all files', async () => {
  const { stdout } = await repo().kotef('declarations', '--json', 'src/pay.ts', 'notes.md')
  expect(JSON.parse(stdout)).toMatchObject({
    files: [
      { path: 'src/pay.ts', declarations: [CLASS, METHOD], reason: null },
      { path: 'notes.md', declarations: [], reason: 'kotef has no grammar for this kind of file' },
    ],
  })
})

test('--jsonl is one array for each file, empty where no declarations are known', async () => {
  const { code, stdout } = await repo().kotef('declarations', '--jsonl', 'src/pay.ts', 'notes.md', 'src/pay.py')
  expect([code, jsonl(stdout)]).toEqual([0, [[CLASS, METHOD], [], [LIMIT]]])
})

test('--jsonl without files is one array for each line of standard input', async () => {
  const lines = [
    { path: 'new.py', text: 'LIMIT = 1' },
    { path: 'no-grammar', text: 'LIMIT = 1' },
    { path: 'a.rb', text: '\ud800\0', more: 1 },
  ]
  const input = lines.map(it => JSON.stringify(it)).join('\n')
  const { code, stdout, stderr } = await repo().run('kotef', ['declarations', '--jsonl'], { input })
  expect([code, stderr, jsonl(stdout)]).toEqual([0, '', [[LIMIT], [], []]])
})

test.each([
  ['no JSON', '{'],
  ['null', 'null'],
  ['a list', '[]'],
  ['without a text', '{"path":"a.ts"}'],
  ['', ''],
])('a line that is not of the form is a usage error: %s', async (_, line) => {
  const input = `${JSON.stringify({ path: 'a.py', text: 'LIMIT = 1' })}\n${line}\n`
  const { code, stdout, stderr } = await repo().run('kotef', ['declarations', '--jsonl'], { input })
  expect([code, jsonl(stdout)]).toEqual([2, [[LIMIT]]])
  expect(stderr).toContain('A line of standard input is not {"path": "…", "text": "…"}.')
})

test.each([
  ['no file', [], 'Name a file'],
  ['a file that does not exist', ['src/none.ts'], "src/none.ts can't be read (ENOENT)."],
  ['a folder', ['src'], "src can't be read (EISDIR)."],
  ['an unknown option', ['--xml', 'src/pay.ts'], '--xml'],
])('%s is a usage error', async (_, words, message) => {
  const { code, stdout, stderr } = await repo().kotef('declarations', ...words)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

test('a file is read also outside of a repository, and from a folder in one', async () => {
  const inside = await repo().run('kotef', ['declarations', 'pay.py'], { cwd: `${repo().root}/src` })
  const outside = await repo().run('kotef', ['declarations', `${repo().root}/src/pay.py`], { cwd: '/' })
  expect([inside.stdout, outside.stdout]).toEqual([
    'pay.py:1-1  constant  LIMIT\n',
    `${repo().root}/src/pay.py:1-1  constant  LIMIT\n`,
  ])
})
