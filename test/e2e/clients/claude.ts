import { anthropicMessages } from '../models/anthropic.ts'
import { type AgentClient, jsonDocument, kotefTool } from './client.ts'

/** Claude Code. */
export const claude: AgentClient = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.330',
  program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  protocol: anthropicMessages,
  model: 'anthropic/claude-sonnet-4-5',
  home: ({ url, root }) => ({
    files: {
      '.claude.json': jsonDocument({
        hasCompletedOnboarding: true,
        projects: { [root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
      '.claude/settings.json': jsonDocument({ enableAllProjectMcpServers: true }),
    },
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  words: prompt => ['-p', prompt, '--model', 'claude-sonnet-4-5', '--allowedTools', 'Write,Edit,Bash,mcp__kotef'],
  spell: (action, tools) => {
    switch (action.do) {
      case 'write':
        return { tool: 'Write', input: { file_path: action.path, content: action.text } }
      case 'shell':
        return { tool: 'Bash', input: { command: action.command, description: 'A command' } }
      case 'kotef':
        return { tool: kotefTool(tools, action.tool), input: action.input }
      case 'say':
        return action
    }
  },
}
