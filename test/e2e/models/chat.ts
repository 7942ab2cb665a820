import type { AnyJson, SpelledAction, ModelProtocol } from './protocol.ts'

/** OpenAI's chat completions, as a stream. */
export const chatCompletions: ModelProtocol = {
  decode: (path, { tools, messages }) =>
    path.endsWith('/chat/completions') && tools?.length > 0
      ? {
          text: JSON.stringify(messages),
          toolResult: JSON.stringify(messages.filter((it: AnyJson) => it.role === 'tool').at(-1)?.content ?? ''),
          tools: tools.map((it: AnyJson) => it.function.name),
        }
      : null,
  encode: (said, { id, model }) => {
    const chunk = (choice: object, more: object = {}) => ({
      data: { id, object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, ...choice }], ...more },
    })
    const reason = 'text' in said ? 'stop' : 'tool_calls'
    return [
      chunk({ delta: { role: 'assistant', ...deltaOf(said, id) }, finish_reason: null }),
      chunk({ delta: {}, finish_reason: reason }, { usage: USAGE }),
      { data: '[DONE]' },
    ]
  },
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function deltaOf(said: SpelledAction, id: string): AnyJson {
  if ('text' in said) return { content: said.text }
  const call = { name: said.tool, arguments: JSON.stringify(said.input) }
  return { content: null, tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call }] }
}
