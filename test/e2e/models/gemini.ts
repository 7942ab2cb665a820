import type { AnyJson, ModelProtocol } from './protocol.ts'

/** Gemini's `streamGenerateContent`. */
export const geminiGenerate: ModelProtocol = {
  decode: (path, { tools, systemInstruction, contents }) =>
    path.includes(':streamGenerateContent') && tools?.length > 0
      ? {
          text: JSON.stringify([systemInstruction, contents]),
          toolResult: lastToolResult(contents),
          tools: tools.flatMap((it: AnyJson) => (it.functionDeclarations ?? []).map((one: AnyJson) => one.name)),
        }
      : null,
  encode: (said, { model }) => {
    const part = 'text' in said ? { text: said.text } : { functionCall: { name: said.tool, args: said.input } }
    const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }]
    return [{ data: { candidates, modelVersion: model, usageMetadata: USAGE } }]
  },
}

const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }

function lastToolResult(contents: readonly AnyJson[]): string {
  const parts = contents.flatMap(it => it.parts ?? [])
  return JSON.stringify(parts.filter(it => it.functionResponse).at(-1)?.functionResponse.response ?? '')
}
