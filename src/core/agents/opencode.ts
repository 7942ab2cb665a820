import { adapterFrom, always, namedBy, textIn } from './agent-table.ts'
import { modelOrNull } from './models.ts'

const context = (text: string) => ({ context: text })
const deny = (text: string) => ({ deny: text })

/** OpenCode has plugins instead of hooks, so both ends are kotef's: `opencode-plugin.ts` sends these payloads. */
export const opencode = adapterFrom({
  agent: 'opencode',
  identity: namedBy('event', 'session'),
  model: it => modelOrNull(it['model']),
  hooks: {
    'before-tool': 'start',
    'after-tool': 'end',
    'session-end': 'session-end',
    prompt: () => ({ activity: { event: 'model-named' }, point: { at: 'prompt' } }),
    stop: () => ({ activity: { event: 'turn-end' }, point: { at: 'stop', isRepeated: false, endsTurn: true } }),
  },
  // OpenCode runs tools in parallel, and identifies each call.
  tool: it => ({
    tool: textIn(it, 'tool'),
    input: it['args'],
    call: textIn(it, 'call'),
    lane: textIn(it, 'call') ?? '',
  }),
  // The plugin treats a missing answer as a denial, so that a hook that died denies too.
  answers: {
    at: { 'before-tool': { deny, context } },
    elsewhere: always(context),
    undecoded: deny,
    nothing: () => ({}),
  },
})
