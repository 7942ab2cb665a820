import type { AnyJson, SpelledAction, ModelProtocol } from './protocol.ts'

/** OpenAI's Responses, as a stream. */
export const openaiResponses: ModelProtocol = {
  decode: (path, { tools, instructions, input }) =>
    path.endsWith('/responses') && tools?.length > 0
      ? {
          text: JSON.stringify([instructions, input]),
          toolResult: lastToolResult(input),
          tools: tools.flatMap(namesOf),
        }
      : null,
  encode: (said, { id, model }) => {
    const response = { id: `resp_${id}`, object: 'response', model }
    const item = itemOf(said, id)
    return [
      { event: 'response.created', data: { type: 'response.created', response } },
      { event: 'response.output_item.added', data: { type: 'response.output_item.added', output_index: 0, item } },
      { event: 'response.output_item.done', data: { type: 'response.output_item.done', output_index: 0, item } },
      {
        event: 'response.completed',
        data: {
          type: 'response.completed',
          response: { ...response, status: 'completed', output: [item], usage: USAGE },
        },
      },
    ]
  },
}

const USAGE = {
  ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
}

// A server's tools may be gathered under its name.
function namesOf({ type, name, tools }: AnyJson): string[] {
  return tools ? tools.map((it: AnyJson) => `${name}${it.name}`) : [name ?? type]
}

function itemOf(said: SpelledAction, id: string): AnyJson {
  if ('text' in said) {
    const content = [{ type: 'output_text', text: said.text, annotations: [] }]
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }
  }
  const { tool: name, input, space: namespace } = said
  const call = {
    id: `call_${id}`,
    call_id: `call_${id}`,
    status: 'completed',
    name,
    ...(namespace ? { namespace } : {}),
  }
  if (typeof input === 'string') return { type: 'custom_tool_call', ...call, input }
  if (name === 'tool_search') return { type: 'tool_search_call', ...call, execution: 'client', arguments: input }
  return { type: 'function_call', ...call, arguments: JSON.stringify(input) }
}

function lastToolResult(input: readonly AnyJson[]): string {
  const last = input.filter(it => /_output$/.test(it.type)).at(-1)
  return JSON.stringify(last?.output ?? last?.tools ?? '')
}
