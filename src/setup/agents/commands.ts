/** What an agent runs by itself: the script beside the git hooks', which finds kotef and hands on to it. */
const AGENT = '$(git rev-parse --git-common-dir)/kotef/agent'

/** How an agent's hook is called. One that gates stops what it was asked about, whatever keeps kotef from answering. */
export function hookCommand(agent: string, { gates }: { gates: boolean }): string {
  return `sh -c '${PLACES[agent] ?? ''}${gates ? gate(agent).join('; ') : told(agent)}'`
}

/** The same as a script that is a hook by itself. */
export function hookScript(agent: string, { gates }: { gates: boolean }): string {
  const lines = gates ? gate(agent) : [told(agent)]
  return ['#!/bin/sh', '# Calls kotef. (`kotef uninit` removes this file.)', ...lines, ''].join('\n')
}

/** The program and the words that start the MCP server; `cd` goes to the project first, where that must be said. */
export function serverCommand(cd = ''): readonly [command: string, ...words: string[]] {
  return ['sh', '-c', `${cd}exec sh "${AGENT}" mcp`]
}

// Agents read an exit code of 2 as a refusal, and any other one as a hook that is not to be heeded. Cline heeds none.
function gate(agent: string): string[] {
  const [missing, dead] = ['kotef is not set up in this clone. Run: npx kotef init', 'kotef gave no answer.']
  if (agent === 'cline') {
    return [
      `kotef=${AGENT}`,
      `[ -f "$kotef" ] || { ${cancelled(missing)}; exit 2; }`,
      `answer=$(sh "$kotef" agent-hook cline) && printf %s "$answer" || { ${cancelled(dead)}; exit 2; }`,
    ]
  }
  return [
    `kotef=${AGENT}`,
    `[ -f "$kotef" ] || { echo "${missing}" >&2; exit 2; }`,
    `sh "$kotef" agent-hook ${agent} || exit 2`,
  ]
}

function cancelled(errorMessage: string): string {
  return `echo "${errorMessage}" >&2; echo '${JSON.stringify({ cancel: true, errorMessage })}'`
}

function told(agent: string): string {
  return `sh "${AGENT}" agent-hook ${agent} || exit 1`
}

/** Where to stand when the hook is called from wherever the session has gone. */
const PLACES: Readonly<Record<string, string>> = { claude: 'cd "${CLAUDE_PROJECT_DIR:-.}" || exit 2; ' }
