import { expect, test } from 'vitest'
import { HELP_GROUPS, NOUNS } from '../../../src/shells/cli/help-groups.ts'
import { verbs } from '../../../src/shells/cli/verbs.ts'
import { runCli } from '../../rig/command-line.ts'

const call = async (...words: string[]) => (await runCli({ root: '/', env: () => ({}) }, ...words)).text

const firstWords = verbs.filter(it => !it.hidden).map(it => it.usage.split(' ')[0] ?? '')
const names = [...new Set(firstWords)]
const grouped = Object.values(HELP_GROUPS).flat()

/** The commands of a list by their heading, in order. */
function listed(text: string): Record<string, string[]> {
  const [, ...parts] = text.split(/^(?=\w+:\n)/m)
  const commands = parts.filter(it => !it.startsWith('Options:'))
  const entries = commands.map(it => [
    /^\w+/.exec(it)?.[0] ?? '',
    [...it.matchAll(/^ {2}([\w-]+)/gm)].map(m => m[1] ?? ''),
  ])
  return Object.fromEntries(entries) as Record<string, string[]>
}

test.each([[[]], [['help']], [['--help']], [['-h']]])(
  'kotef %s lists the commands of the groups, in their order',
  async words => {
    expect(listed(await call(...words))).toEqual({ ...HELP_GROUPS, More: ['help'] })
  },
)

test.each([[['help', '--all']], [['--help', '--all']]])('kotef %s lists every command', async words => {
  const { More: more = [], ...groups } = listed(await call(...words))
  expect(groups).toEqual(HELP_GROUPS)
  expect(more.toSorted()).toEqual([...names.filter(it => !grouped.includes(it)), 'help'].toSorted())
})

test('each command of a group is there, in one group', () => {
  expect(grouped.filter(it => !names.includes(it))).toEqual([])
  expect(new Set(grouped).size).toBe(grouped.length)
})

test('each command that has only verbs of its own says what it is about', async () => {
  const single = new Set(
    verbs
      .map(it => it.usage)
      .filter(it => !/^\S+ [a-z]/.test(it))
      .map(it => it.split(' ')[0]),
  )
  const nouns = names.filter(it => !single.has(it))
  expect(Object.keys(NOUNS).toSorted()).toEqual(nouns.toSorted())
  const text = (await call('help', '--all')).replace(/\s+/g, ' ')
  for (const noun of nouns) expect(text).toContain(`${noun} ${NOUNS[noun]}`)
})

test('the help of one command lists its own options', async () => {
  expect(await call('help', 'verify')).toContain('--require-trace')
  expect(await call('intent', '--help')).toMatch(/^ {2}start <id> /m)
})
