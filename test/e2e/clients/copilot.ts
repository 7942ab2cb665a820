import { chatCompletions } from '../models/chat.ts'
import { type AgentClient, kotefTool } from './client.ts'

/** Copilot CLI. */
export const copilot: AgentClient = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  program: `@github/copilot-${process.platform}-${process.arch}/copilot`,
  protocol: chatCompletions,
  model: '-',
  home: ({ url }) => ({
    files: {},
    env: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
  words: prompt => ['--prompt', prompt, '--allow-all-tools', '--trust-folder', '--disable-client-telemetry'],
  spell: (action, tools) => {
    switch (action.do) {
      case 'write':
        return { tool: 'create', input: { path: action.path, file_text: action.text } }
      case 'shell':
        return { tool: 'bash', input: { command: action.command, description: 'A command', mode: 'sync' } }
      case 'kotef':
        return { tool: kotefTool(tools, action.tool), input: action.input }
      case 'say':
        return action
    }
  },
}
