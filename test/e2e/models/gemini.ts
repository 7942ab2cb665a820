import type { Json, Wire } from './wire.ts'

/** Gemini's `streamGenerateContent`. */
export const gemini: Wire = {
  hear: (path, { tools, systemInstruction, contents }) =>
    path.includes(':streamGenerateContent') && tools?.length > 0
      ? {
          text: JSON.stringify([systemInstruction, contents]),
          told: toldIn(contents),
          tools: tools.flatMap((it: Json) => (it.functionDeclarations ?? []).map((one: Json) => one.name)),
        }
      : null,
  answer: (said, { model }) => {
    const part = 'text' in said ? { text: said.text } : { functionCall: { name: said.tool, args: said.input } }
    const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }]
    return [{ data: { candidates, modelVersion: model, usageMetadata: USAGE } }]
  },
}

const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }

function toldIn(contents: readonly Json[]): string {
  const parts = contents.flatMap(it => it.parts ?? [])
  return JSON.stringify(parts.filter(it => it.functionResponse).at(-1)?.functionResponse.response ?? '')
}
