/** The script that agents run, beside the git hooks' scripts. It finds kotef and starts it. */
const AGENT_SCRIPT = '$(git rev-parse --git-common-dir)/kotef/agent'

/** The command of an agent's hook. One that gates also stops the tool call when kotef can't answer. */
export function agentHookCommand(agent: string, { gates }: { gates: boolean }): string {
  return `sh -c '${FOLDER_COMMANDS[agent] ?? ''}${gates ? gatingCommands(agent).join('; ') : reportingCommand(agent)}'`
}

/** The same as a script file, for agents whose hooks are files. */
export function agentHookScript(agent: string, { gates }: { gates: boolean }): string {
  const lines = gates ? gatingCommands(agent) : [reportingCommand(agent)]
  return ['#!/bin/sh', '# Calls kotef. (`kotef uninit` removes this file.)', ...lines, ''].join('\n')
}

/** The program and arguments that start the MCP server. `cd` changes to the project, if the agent does not. */
export function mcpServerCommand(cd = ''): readonly [command: string, ...args: string[]] {
  return ['sh', '-c', `${cd}exec sh "${AGENT_SCRIPT}" mcp`]
}

// Agents read exit code 2 as a refusal, and ignore a hook with any other code. Cline ignores all codes, and reads JSON.
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

/** The change to the project's folder, for agents that run hooks in the session's current folder. */
const FOLDER_COMMANDS: Readonly<Record<string, string>> = { claude: 'cd "${CLAUDE_PROJECT_DIR:-.}" || exit 2; ' }
