import type { AnyJson, SpelledAction, StreamEvent, ModelProtocol } from './protocol.ts'

/** Anthropic's Messages, as a stream. */
export const anthropicMessages: ModelProtocol = {
  decode: (path, { tools, system, messages }) =>
    path.startsWith('/v1/messages?') || path === '/v1/messages'
      ? tools?.length > 0
        ? {
            text: JSON.stringify([system, messages]),
            toolResult: lastToolResult(messages),
            tools: tools.map((it: AnyJson) => it.name),
          }
        : null
      : null,
  encode: (said, { id, model }) => [
    event('message_start', { message: { id, type: 'message', role: 'assistant', model, content: [], usage: USAGE } }),
    ...('text' in said ? textBlock(said.text) : toolBlock(said, `toolu_${id}`)),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'text' in said ? 'end_turn' : 'tool_use' }, usage: USAGE }),
    event('message_stop', {}),
  ],
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

function event(type: string, more: object): StreamEvent {
  return { event: type, data: { type, ...more } }
}

function textBlock(text: string): StreamEvent[] {
  return [
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  ]
}

function toolBlock({ tool, input }: Extract<SpelledAction, { tool: string }>, id: string): StreamEvent[] {
  const json = JSON.stringify(input)
  return [
    event('content_block_start', { index: 0, content_block: { type: 'tool_use', id, name: tool, input: {} } }),
    event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: json } }),
  ]
}

function lastToolResult(messages: readonly AnyJson[]): string {
  const results = messages.flatMap(it => (Array.isArray(it.content) ? it.content : []))
  return JSON.stringify(results.filter(it => it.type === 'tool_result').at(-1)?.content ?? '')
}
