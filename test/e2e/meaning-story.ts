import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellQuoted } from '../../src/core/base/printable.ts'
import type { Repo } from '../rig/repo.ts'
import type { Story, StoryContext } from './story.ts'

const FILE = 'src/a.ts'

/** The words of `kotef` that add the intent of the other worktree's agent. */
export const OTHER_INTENT = ['--id', 'INT-003', '--name', 'the other work', '--scope', 'src/**']

/** Lets another agent, in a worktree of its own, change a declaration, and brings the map up to date. */
export async function beginOtherWork(repo: Repo): Promise<void> {
  const root = join(repo.root, '../second')
  await repo.git('worktree', 'add', '--quiet', '-b', 'second', root)
  const text = 'export const a = 7\nexport const b = 2\n'
  const base = { session_id: 'other', transcript_path: join(repo.base, 'other.jsonl'), cwd: root }
  const use = { tool_name: 'Write', tool_input: { file_path: join(root, FILE), content: text }, tool_use_id: 'other-1' }
  const say = (event: string, more: object): Promise<void> => {
    const payload = JSON.stringify({ ...base, hook_event_name: event, ...more })
    return inShell(repo, `cd ../second && printf %s ${shellQuoted(payload)} | kotef agent-hook claude`)
  }
  await inShell(repo, 'cd ../second && kotef select INT-003 --session other --agent claude')
  await say('PostToolUse', { ...use, tool_name: 'Read' })
  await say('PreToolUse', use)
  await writeFile(join(root, FILE), text)
  await say('PostToolUse', use)
  await inShell(repo, 'kotef map')
}

async function inShell(repo: Repo, command: string): Promise<void> {
  const { code, stdout, stderr } = await repo.run('sh', ['-c', command])
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${stderr}${stdout}`)
}

/** An agent that asks where something is, and changes what another one is changing. */
export async function* curiousSession({ repo, check }: StoryContext): Story {
  const selected = yield { do: 'kotef', tool: 'select_active_intent', input: { intent_id: 'INT-001' } }
  const { toolResult: context } = selected
  check('mapped', /"declarations":\[[^\]]*src\/a\.ts/.test(context.replaceAll('\\"', '"')), context.slice(-2500))
  yield { do: 'shell', command: `cat ${FILE}` }
  // Clients load the tool of the same name in ways of their own; each has a shell.
  const { toolResult: places } = yield { do: 'shell', command: 'kotef where a' }
  check('found', places.includes(FILE) && places.includes('INT-001'), places)
  const text = 'export const a = 3\nexport const b = 2\n'
  const written = yield { do: 'write', path: join(repo.root, FILE), text }
  check('conflict', written.text.includes('constant a is being changed for INT-003'), written.text.slice(-3000))
  yield { do: 'say', text: 'I wait for the other one.' }
}
