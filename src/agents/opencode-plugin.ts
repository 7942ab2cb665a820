/**
 * The text of the plugin through which OpenCode speaks with `kotef agent-hook opencode`, by a command line for a shell.
 * What the hook does not allow in so many words is refused, also where the hook has died, or takes too long.
 */
export function openCodePlugin(command: string, patienceMs = 20_000): string {
  return PLUGIN_TEXT.replace('{{command}}', () => JSON.stringify(command)).replace('{{patience}}', String(patienceMs))
}

const PLUGIN_TEXT = `// Made by kotef, and made anew by \`kotef init --agent opencode\`. \`kotef uninit\` takes it away.
import { spawn } from 'node:child_process'

const COMMAND = {{command}}
const PATIENCE_MS = {{patience}}

export const Kotef = async ({ client, directory, worktree }) => {
  const cwd = worktree && worktree !== '/' ? worktree : directory
  const parents = new Map()
  const begun = new Set()

  // An agent below the main one has a session of its own, and works on what the main one works on.
  async function rootOf(session) {
    if (!parents.has(session)) {
      const found = await client.session.get({ path: { id: session } }).catch(() => null)
      if (!found?.data) return session
      parents.set(session, found.data.parentID)
    }
    const parent = parents.get(session)
    return parent ? rootOf(parent) : session
  }

  async function ask(event, session, more) {
    const root = await rootOf(session)
    const payload = { event, session: root, cwd: directory, ...more }
    if (event === 'session-end') begun.delete(root)
    else begun.add(root)
    return answerOf(await run(JSON.stringify(payload), cwd))
  }

  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const { deny } = await ask('before-tool', sessionID, { tool, args, call: callID })
      if (deny !== undefined) throw new Error(String(deny))
    },

    'tool.execute.after': async ({ tool, sessionID, callID, args }, result) => {
      const { context } = await ask('after-tool', sessionID, { tool, args, call: callID }).catch(asContext)
      if (context === undefined || !result) return
      if (typeof result.output === 'string') result.output += '\\n\\n' + context
      else if (Array.isArray(result.content)) result.content.push({ type: 'text', text: String(context) })
    },

    'experimental.chat.system.transform': async ({ sessionID, model }, { system }) => {
      if (!sessionID) return
      const { context } = await ask('prompt', sessionID, { model: nameOf(model) }).catch(asContext)
      if (context !== undefined) system.push(String(context))
    },

    event: async ({ event: { type, properties } }) => {
      const name = { 'session.idle': 'stop', 'session.deleted': 'session-end' }[type]
      const session = properties?.sessionID ?? properties?.info?.id
      if (name && session && (await rootOf(session)) === session) await ask(name, session, {}).catch(asContext)
    },

    // Whoever goes on with a session later selects its intent again.
    dispose: async () => {
      await Promise.all([...begun].map(session => ask('session-end', session, {}).catch(asContext)))
    },
  }
}

function run(payload, cwd) {
  return new Promise((resolve, reject) => {
    const hook = spawn(COMMAND, { shell: true, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
    const told = { out: '', err: '' }
    const timer = setTimeout(() => {
      hook.kill('SIGKILL')
      reject(new Error('orchestration unavailable: the hook of kotef takes too long.'))
    }, PATIENCE_MS)
    hook.stdout.setEncoding('utf8').on('data', it => (told.out += it))
    hook.stderr.setEncoding('utf8').on('data', it => (told.err += it))
    hook.stdin.on('error', () => {})
    hook.on('error', reject)
    hook.on('close', code => {
      clearTimeout(timer)
      if (code === 0) resolve(told.out)
      else reject(new Error('orchestration unavailable: the hook of kotef ended with ' + code + '. ' + told.err))
    })
    hook.stdin.end(payload)
  })
}

// Silence would be an answer that nobody gave.
function answerOf(text) {
  let answer = null
  try {
    answer = JSON.parse(text)
  } catch {}
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer
  throw new Error('orchestration unavailable: the hook of kotef gave no answer.')
}

function asContext(thrown) {
  return { context: String(thrown.message) }
}

function nameOf(model) {
  const [provider, id] = [model?.providerID, model?.modelID ?? model?.id]
  return provider && id ? provider + '/' + id : undefined
}
`
