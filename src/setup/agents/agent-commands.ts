/** What an agent runs by itself: the script beside the git hooks', which finds kotef and hands on to it. */
const AGENT_SCRIPT = '$(git rev-parse --git-common-dir)/kotef/agent'

/** How an agent's hook is called. One that gates stops what it was asked about, whatever keeps kotef from answering. */
export function agentHookCommand(agent: string, { gates }: { gates: boolean }): string {
  return `sh -c '${FOLDER_COMMANDS[agent] ?? ''}${gates ? gatingCommands(agent).join('; ') : reportingCommand(agent)}'`
}

/** The same as a script that is a hook by itself. */
export function agentHookScript(agent: string, { gates }: { gates: boolean }): string {
  const lines = gates ? gatingCommands(agent) : [reportingCommand(agent)]
  return ['#!/bin/sh', '# Calls kotef. (`kotef uninit` removes this file.)', ...lines, ''].join('\n')
}

/** The program and the words that start the MCP server; `cd` goes to the project first, where that must be said. */
export function mcpServerCommand(cd = ''): readonly [command: string, ...words: string[]] {
  return ['sh', '-c', `${cd}exec sh "${AGENT_SCRIPT}" mcp`]
}

// Agents read an exit code of 2 as a refusal, and any other one as a hook that is not to be heeded. Cline heeds none.
function gatingCommands(agent: string): string[] {
  const [missing, dead] = ['kotef is not set up in this clone. Run: npx kotef init', 'kotef gave no answer.']
  if (agent === 'cline') {
    return [
      `kotef=${AGENT_SCRIPT}`,
      `[ -f "$kotef" ] || { ${clineCancelCommand(missing)}; exit 2; }`,
      `answer=$(sh "$kotef" agent-hook cline) && printf %s "$answer" || { ${clineCancelCommand(dead)}; exit 2; }`,
    ]
  }
  return [
    `kotef=${AGENT_SCRIPT}`,
    `[ -f "$kotef" ] || { echo "${missing}" >&2; exit 2; }`,
    `sh "$kotef" agent-hook ${agent} || exit 2`,
  ]
}

function clineCancelCommand(errorMessage: string): string {
  return `echo "${errorMessage}" >&2; echo '${JSON.stringify({ cancel: true, errorMessage })}'`
}

function reportingCommand(agent: string): string {
  return `sh "${AGENT_SCRIPT}" agent-hook ${agent} || exit 1`
}

/** Where to stand when the hook is called from wherever the session has gone. */
const FOLDER_COMMANDS: Readonly<Record<string, string>> = { claude: 'cd "${CLAUDE_PROJECT_DIR:-.}" || exit 2; ' }
