import { openaiResponses } from '../models/responses.ts'
import type { AgentClient } from './client.ts'

const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
}
const MACHINE = `${process.platform}-${process.arch}`

/** Codex CLI. */
export const codex: AgentClient = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: `@openai/codex-${MACHINE}/vendor/${TARGETS[MACHINE]}/bin/codex`,
  protocol: openaiResponses,
  model: 'openai/gpt-5.5',
  home: ({ url, root }) => ({ files: { '.codex/config.toml': configOf(url, root) }, env: {} }),
  words: prompt => ['exec', '--dangerously-bypass-hook-trust', prompt],
  spell: action => {
    switch (action.do) {
      case 'write':
        return { tool: 'apply_patch', input: patchOf(action.path, action.text) }
      case 'shell':
        return { tool: 'exec_command', input: { cmd: action.command } }
      case 'kotef':
        return { tool: action.tool, space: 'mcp__kotef', input: action.input }
      case 'say':
        return action
    }
  },
}

function patchOf(path: string, text: string): string {
  const lines = text.trimEnd().split('\n')
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map(it => `+${it}`), '*** End Patch', ''].join('\n')
}

// What it would ask a person for is granted: kotef alone is what refuses.
function configOf(url: string, root: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"

[analytics]
enabled = false

[projects."${root}"]
trust_level = "trusted"
`
}
