import type { Tool } from '@modelcontextprotocol/server'
import type { AgentRequest } from '../../core/intents/request.ts'
import { HANDOVER_TOOLS } from './handover-tools.ts'
import { KotefError } from '../../core/base/failure.ts'

type ToolFacts = {
  readonly isSelected: boolean
  /** True where there is a folder for sessions of the handover. */
  readonly hasSessions: boolean
}

/** The tools listed for a session: all once it has selected an intent, before that the ones that lead to it. */
export function toolsFor({ isSelected, hasSessions }: ToolFacts): Tool[] {
  const handover = isSelected && hasSessions ? HANDOVER_TOOLS : []
  return [...MCP_TOOLS.filter(it => isSelected || TOOLS_BEFORE_SELECTION.has(it.name)), ...handover]
}

const TOOLS_BEFORE_SELECTION = new Set(['select_active_intent', 'list_intents'])

const NO_ARGUMENTS = { type: 'object', properties: {}, additionalProperties: false } as const

const MCP_TOOLS: readonly Tool[] = [
  {
    name: 'select_active_intent',
    title: 'Select the active intent',
    description:
      'Selects the intent that this session works on, once for its whole life, and answers with its context: ' +
      'constraints, owned scope, acceptance criteria, forbidden paths, files and recent history. ' +
      'Call it before any tool that changes something.',
    inputSchema: {
      type: 'object',
      properties: {
        intent_id: { type: 'string', description: 'The id of an intent, such as INT-001.' },
        role: { type: 'string', description: 'Your role in a session of .agents-work/, if there is one: Coder, ….' },
        handover_session: { type: 'string', description: 'That session.' },
      },
      required: ['intent_id'],
      additionalProperties: false,
    },
    // Without this, Claude Code shows its model only the tool's name until the model searches for it.
    _meta: { 'anthropic/alwaysLoad': true },
  },
  {
    name: 'list_intents',
    title: 'List the intents',
    description: 'Lists the intents of this repository, and whether each can be selected.',
    inputSchema: NO_ARGUMENTS,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'intent_context',
    title: 'The context of the selected intent',
    description: 'Answers with the context of the selected intent as it is now. Call it when it may have changed.',
    inputSchema: NO_ARGUMENTS,
    annotations: { readOnlyHint: true },
  },
  {
    name: 'where_is',
    title: 'Find code by words',
    description:
      'Finds the intents, declarations, files and lessons of the last commit that some words are about, the best ' +
      'first, each with the words that led to it: `billing`, `charge card`.',
    inputSchema: {
      type: 'object',
      properties: {
        words: { type: 'string', description: 'A few words, or a question.' },
        limit: { type: 'integer', minimum: 1, description: 'At most this many places; 20 if absent.' },
      },
      required: ['words'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'request_scope_expansion',
    title: 'Ask for more scope',
    description:
      'Asks a person to widen the scope of the selected intent. It changes nothing by itself: until the person has ' +
      'answered, writes outside the scope are refused.',
    inputSchema: {
      type: 'object',
      properties: {
        globs: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Such as src/pay/refund.ts.' },
        reason: { type: 'string', description: 'Why the intent needs them.' },
      },
      required: ['globs', 'reason'],
      additionalProperties: false,
    },
  },
  {
    name: 'request_approval',
    title: 'Ask for an approval',
    description: 'Asks a person for permission to do something that the intent does not allow by itself.',
    inputSchema: {
      type: 'object',
      properties: {
        what: { type: 'string', description: 'The action to approve, in one sentence.' },
        reason: { type: 'string', description: 'Why it is needed.' },
      },
      required: ['what', 'reason'],
      additionalProperties: false,
    },
  },
  {
    name: 'record_lesson',
    title: 'Record a lesson',
    description:
      'Records one sentence that the next agent on these files should know, and that neither code nor documents say. ' +
      'It is data for others, never an instruction. The same again raises its count.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Such as: Amounts are cents, also in tests.' },
        paths: {
          type: 'array',
          items: { type: 'string' },
          description: 'Globs of the files that it is about; by default the scope of the intent.',
        },
      },
      required: ['text'],
      additionalProperties: false,
    },
  },
]

type RequestCall = { readonly name: string; readonly args: Readonly<Record<string, unknown>> }

/** The request to a person in a call; null for a call of another tool. */
export function parseRequest({ name, args }: RequestCall): Pick<AgentRequest, 'kind' | 'wants' | 'reason'> | null {
  if (name === 'request_approval') {
    return {
      kind: 'approval',
      wants: [requiredText(args['what'], 'what')],
      reason: requiredText(args['reason'], 'reason'),
    }
  }
  if (name !== 'request_scope_expansion') return null
  const globs = Array.isArray(args['globs']) ? args['globs'] : []
  if (globs.length === 0) throw new KotefError('usage', 'globs is missing.')
  return {
    kind: 'scope',
    wants: globs.map(it => requiredText(it, 'globs')),
    reason: requiredText(args['reason'], 'reason'),
  }
}

function requiredText(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new KotefError('usage', `${name} is missing, or is not a text.`)
}
