// The repository in which the story of secrets is played.

import { runAgentHook } from '../agent-hooks.ts'
import type { Repo } from '../repo.ts'
import type { AgentVoice, VoicedUse } from './agents.ts'
import type { SecretForm } from './forms.ts'
import type { Markers } from './markers.ts'
import type { Written } from './written.ts'

/** A repository in which agents work with secrets, and what each agent's session was answered. */
export type Story = { readonly repo: Repo; readonly markers: Markers; readonly answers: Answer[] }

export type Answer = Written & { readonly agent: string }

/** One agent's session, and the texts with secrets that are said in it. */
export type Scene = {
  readonly story: Story
  readonly voice: AgentVoice
  readonly forms: readonly SecretForm[]
  /** Says something to the agent's hook, which must answer so. */
  say(moment: string, payload: object, answer?: RegExp): Promise<void>
  /** A text with a secret of its own for this moment. */
  text(moment: string, form?: SecretForm): string
  /** A command of a shell with one, and another in its description. */
  shell(moment: string, form: SecretForm, prefix?: string): VoicedUse
}

/** The scene of an agent, in which each moment has a secret of its own. */
export function sceneOf(story: Story, voice: AgentVoice, forms: readonly SecretForm[]): Scene {
  const { repo, markers, answers } = story
  const { agent } = voice
  const text = (moment: string, form = forms[0]): string => secretText(story, { form, moment: `${moment} of ${agent}` })
  return {
    ...{ story, voice, forms, text },
    async say(moment, payload, answer = /^/) {
      const { code, stdout, stderr } = await runAgentHook(repo, agent, JSON.stringify(payload))
      const said = `${stdout}${stderr}`
      answers.push({ where: `the answer to ${agent} ${moment}`, text: said, agent })
      const isExpected = (code === 0 || code === 2) && answer.test(said)
      if (!isExpected) throw new Error(`${moment}, the hook of ${agent} ended with ${code}: ${said}`)
    },
    shell(moment, form, prefix = '') {
      const place = { form: form.form, moment: `${moment} of ${agent}` }
      const command = prefix + form.command(markers.mark(place))
      for (const it of [command, JSON.stringify({ command })]) markers.keep(place, it)
      return voice.shell(command, text(`the description of ${moment}`, form))
    },
  }
}

/** A text with the secret of a form at a moment. */
export function secretText(
  { markers }: Story,
  { form, moment }: { readonly form: SecretForm | undefined; readonly moment: string },
): string {
  if (!form) throw new Error(`There is no form for ${moment}.`)
  const place = { form: form.form, moment }
  const text = form.text(markers.mark(place))
  markers.keep(place, text)
  return text
}
