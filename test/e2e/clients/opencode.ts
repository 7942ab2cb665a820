import { chatCompletions } from '../models/chat.ts'
import { type AgentClient, jsonDocument, kotefTool } from './client.ts'

/** OpenCode. */
export const opencode: AgentClient = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
  protocol: chatCompletions,
  model: 'scripted/scripted',
  home: ({ url }) => ({
    files: {
      // It wants to install the types of its plugins beside each configuration, and tries for a minute.
      '.npmrc': 'fetch-retries=0\n',
      '.config/opencode/opencode.json': jsonDocument({
        $schema: 'https://opencode.ai/config.json',
        autoupdate: false,
        share: 'disabled',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `${url}/v1`, apiKey: 'none' },
            models: { scripted: { name: 'scripted', tool_call: true } },
          },
        },
      }),
    },
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  }),
  words: prompt => ['run', '--auto', '--model', 'scripted/scripted', prompt],
  spell: (action, tools) => {
    switch (action.do) {
      case 'write':
        return { tool: 'write', input: { filePath: action.path, content: action.text } }
      case 'shell':
        return { tool: 'bash', input: { command: action.command, description: 'A command' } }
      case 'kotef':
        return { tool: kotefTool(tools, action.tool), input: action.input }
      case 'say':
        return action
    }
  },
}
