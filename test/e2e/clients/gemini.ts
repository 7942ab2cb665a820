import { geminiGenerate as wire } from '../models/gemini.ts'
import { type AgentClient, jsonDocument, kotefTool } from './client.ts'

/** Gemini CLI. */
export const gemini: AgentClient = {
  name: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: '@google/gemini-cli/bundle/gemini.js',
  isScript: true,
  protocol: wire,
  model: 'google/gemini-2.5-pro',
  home: ({ url, root }) => ({
    files: {
      '.gemini/trustedFolders.json': jsonDocument({ [root]: 'TRUST_FOLDER' }),
      '.gemini/settings.json': jsonDocument({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'none' },
  }),
  words: prompt => ['--approval-mode', 'yolo', '--model', 'gemini-2.5-pro', '--prompt', prompt],
  spell: (action, tools) => {
    switch (action.do) {
      case 'write':
        return { tool: 'write_file', input: { file_path: action.path, content: action.text } }
      case 'shell':
        return { tool: 'run_shell_command', input: { command: action.command, description: 'A command' } }
      case 'kotef':
        return { tool: kotefTool(tools, action.tool), input: action.input }
      case 'say':
        return action
    }
  },
}
