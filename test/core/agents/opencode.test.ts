import { opencode } from '../../../src/core/agents/opencode.ts'
import * as dialogue from './dialogue.ts'
import { after, ask, before, context, deny, prompt, silence, stop } from './dialogue.ts'

const base = { session: 's', cwd: '/w' }
const common = { session: 's', agent: 'opencode', model: null, cwd: '/w' }
const lane = { call: 'c', lane: 'c' }
const args = { filePath: '/w/a', content: 'x' }
const patchText = '*** Begin Patch\n*** Update File: a\n*** Delete File: b\n*** End Patch'

const decoded: readonly dialogue.DecodeRow[] = [
  [
    'before a file is written',
    { ...base, event: 'before-tool', tool: 'write', args, call: 'c' },
    { event: 'write-start', paths: ['/w/a'], ...lane },
    { at: 'before-tool', tool: 'write', input: args },
  ],
  [
    'after a patch of two files',
    { ...base, event: 'after-tool', tool: 'apply_patch', args: { patchText }, call: 'c' },
    { event: 'write', paths: ['a', 'b'], ...lane, before: undefined },
    { at: 'after-tool', tool: 'apply_patch', input: { patchText } },
  ],
  [
    'before a command',
    { ...base, event: 'before-tool', tool: 'bash', args: { command: 'make' }, call: 'c' },
    { event: 'exec-start', ...lane },
    { at: 'before-tool', tool: 'bash', input: { command: 'make' } },
  ],
  ['a prompt', { ...base, event: 'prompt', model: 'maker/m' }, { event: 'model-named', model: 'maker/m' }, prompt],
  ['that it waits', { ...base, event: 'stop' }, { event: 'turn-end' }, stop],
  ['that a session is deleted', { ...base, event: 'session-end' }, { event: 'session-end' }, dialogue.end],
  ['an event that is none of our business', { ...base, event: 'file.edited' }, null, null],
]

const nothing = dialogue.printed({})
const reported = (text: string) => dialogue.printed({ context: text })

const answers: readonly dialogue.AnswerRow[] = [
  [silence, before, nothing],
  [deny, before, dialogue.printed({ deny: deny.text })],
  [ask, before, dialogue.printed({ deny: ask.text })],
  [context, before, reported(context.text)],
  [silence, after, nothing],
  [deny, after, reported(deny.text)],
  [context, after, reported(context.text)],
  [context, prompt, reported(context.text)],
  [deny, prompt, reported(deny.text)],
  [silence, stop, nothing],
  [silence, null, nothing],
  [deny, null, dialogue.printed({ deny: deny.text })],
]

dialogue.testAdapter(opencode, { decoded, common, answers })
