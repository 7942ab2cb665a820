import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { HELP_GROUPS, helpGroupOf, NOUNS } from '../../src/shells/cli/help-groups.ts'
import type { Verb } from '../../src/shells/cli/verb.ts'
import { verbs } from '../../src/shells/cli/verbs.ts'
import { repositoryRoot } from '../rig/packed-kotef.ts'

const inCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '\\<')
const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
const nounOf = ({ usage }: Verb) => usage.split(' ')[0] ?? ''

/** A verb as a person looks it up: what it does, an example, and its options. */
function entryOf(verb: Verb): string {
  const { options } = verb.addOptions?.(new Command()) ?? new Command()
  const rows = options.filter(it => !it.hidden).map(it => `| \`${it.flags}\` | ${inCell(it.description)} |`)
  const table = rows.length === 0 ? [] : ['', '| option | |', '|---|---|', ...rows]
  const example = verb.example.replace(/\bkotef (?=[a-z])/, 'npx kotef-watch ')
  return [`### \`${verb.usage}\``, '', sentence(verb.summary), '', '```sh', example, '```', ...table].join('\n')
}

function chapter(title: string): string {
  const own = verbs.filter(it => !it.hidden && helpGroupOf(nounOf(it)).heading === `${title}:`)
  const nouns = [...new Set(own.map(nounOf))].sort((a, b) => helpGroupOf(a).place - helpGroupOf(b).place)
  const entries = nouns.flatMap(noun => {
    const what = NOUNS[noun]
    const ofNoun = own.filter(it => nounOf(it) === noun).map(entryOf)
    return what === undefined ? ofNoun : [`**${noun}**: ${what}.`, ...ofNoun]
  })
  return [`## ${title}`, ...entries].join('\n\n')
}

test('the manual is what the program says of each command', async () => {
  const intro =
    '# Manual\n\nMade from what `npx kotef-watch help` prints. Each command has `--json` and `--help` as well.'
  const page = [intro, ...[...Object.keys(HELP_GROUPS), 'More'].map(chapter)].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot(join(repositoryRoot, 'docs/manual.md'))
})
