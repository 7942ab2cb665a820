// `secretStory()`: each agent works with secrets in each form, at each moment that its hooks report.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/world/io/process/clock.ts'
import { flushedRecords, startWatching } from '../governed-repo.ts'
import { hookedRepo } from '../hooked-repo.ts'
import { type McpClient, spawnMcp } from '../mcp-client.ts'
import type { Repo } from '../repo.ts'
import { selectOrThrow } from '../selection.ts'
import { agentVoices } from './agents.ts'
import { SECRET_FORMS, type SecretForm } from './forms.ts'
import { newMarkers } from './markers.ts'
import { type Answer, type Scene, sceneOf, secretText, type Story } from './scene.ts'

const REGISTRY = `version: 1
active_intents:
  - id: INT-001
    name: work
    status: IN_PROGRESS
    owned_scope: ["src/**"]
    acceptance_criteria:
      - { cmd: "cat ~/outputs/0; test -f src/done.ts" }
      - { cmd: "cat ~/outputs/1 >&2; echo $DEPLOY_TOKEN; test -f src/done.ts", env: [DEPLOY_TOKEN] }
      - { cmd: "cat ~/outputs/2; test -f src/never.ts" }
  - { id: INT-002, name: docs, status: PENDING, owned_scope: ["docs/**"] }
`

// Two equal calls end a run, so that each form of a secret is in the last call of a run that was stopped.
const CONFIG = `version: 1
runs:
  limits: { sameCallStop: 2, samePollStop: 2, sameErrorStop: 2, sameFailureStop: 0,
    sameCommandFailureStop: 0, returnsStop: 0, cycleStop: 0, stepsStop: 0 }
`

/** What agents, people and programs did with secrets in a repository, under a daemon. */
export type SecretStory = Story & AsyncDisposable

// In a person's home, where a check finds it wherever it runs.
const SOURCES = 'outputs'

/** Plays the story: each agent in a session of its own, and each form of a secret at each moment of one of them. */
export async function secretStory(): Promise<SecretStory> {
  const repo = await hookedRepo({ registry: REGISTRY, start: null })
  await repo.write('.orchestration/config.yaml', CONFIG)
  await repo.git('add', '.orchestration')
  await repo.git('commit', '-qm', 'limits', '-m', 'Governance: limits of the test')
  await repo.play('git branch before; git init -q --bare ../remote.git; git remote add origin ../remote.git')
  const daemon = await startWatching(repo)
  const story = { repo, markers: newMarkers(), answers: [] as Answer[] }
  const voices = agentVoices(repo.root, sessionOf)
  for (const [n, voice] of voices.entries())
    await playAgent(
      sceneOf(
        story,
        voice,
        SECRET_FORMS.filter((_, at) => at % voices.length === n),
      ),
    )
  await runChecks(story)
  const mcp = await askServer(story)
  await land(repo)
  return {
    ...story,
    async [Symbol.asyncDispose]() {
      await mcp[Symbol.asyncDispose]()
      await daemon[Symbol.asyncDispose]()
      await repo[Symbol.asyncDispose]()
    },
  }
}

/** The session of an agent of the story. */
export function sessionOf(agent: string): string {
  return `${agent}-session`
}

async function playAgent(scene: Scene): Promise<void> {
  const { story, voice } = scene
  const { agent } = voice
  await scene.say('at its start', voice.start(scene.text('the start')))
  const early = voice.write('src/early.ts', scene.text('a write before a selection'))
  await scene.say('before a selection', voice.before(early), /cite a valid active Intent ID/)
  const command = scene.shell('a command before a selection', scene.forms[1] as SecretForm, 'node x.js; ')
  await scene.say('before a selection', voice.before(command), /cite a valid active Intent ID/)
  await selectOrThrow(story.repo, { session: sessionOf(agent), agent, clock: systemClock })
  await runTests(scene)
  await removeFile(scene)
  await breakConstraint(scene)
  await commitWork(scene)
  await useServer(scene)
  await loop(scene)
  for (const it of voice.others(scene.text('another event'))) await scene.say('at another event', it)
  await scene.say('at a stop', voice.stop(scene.text('a stop')))
  if (voice.settings) await scene.say('at a change of settings', voice.settings(scene.text('a change of settings')))
  await scene.say('at its end', voice.end(scene.text('the end')))
  await flushedRecords(story.repo)
}

// Tests that fail, and pass after a write, are lessons; some go on failing.
async function runTests(scene: Scene): Promise<void> {
  const { forms, voice, story } = scene
  const path = `src/${voice.agent}.ts`
  const tests = forms.map(form => ({ form, use: scene.shell('a test', form, 'npm test; ') }))
  await scene.say('before a test', voice.before((tests[0] as (typeof tests)[0]).use))
  for (const { form, use } of tests)
    await scene.say('after a failed test', voice.failed(use, `Error: ${scene.text('the output of a test', form)}`))
  await scene.say('before a write', voice.before(voice.write(path, 'one\n')))
  await story.repo.write(path, 'one\n')
  await scene.say('after a write', voice.after(voice.write(path, 'one\n'), 'ok'))
  for (const { use } of tests.slice(1))
    await scene.say('after a passed test', voice.after(use, scene.text('the output of a passed test')))
}

async function removeFile(scene: Scene): Promise<void> {
  const { voice, story } = scene
  const place = { form: scene.forms[2]?.form ?? '', moment: `a file that was removed of ${voice.agent}` }
  // The ledger has hashes of files, so only the text must not be found.
  const text = `export const password = '${story.markers.mark(place)}'\n`
  const use = voice.write('src/passwords.ts', text)
  await scene.say('before a write', voice.before(use))
  await story.repo.write('src/passwords.ts', text)
  await scene.say('after a write', voice.after(use, scene.text('the answer of a write')))
  await flushedRecords(story.repo)
  await story.repo.play('rm src/passwords.ts')
  await flushedRecords(story.repo)
}

async function breakConstraint(scene: Scene): Promise<void> {
  const { voice } = scene
  const refused = voice.write('lib/x.ts', scene.text('the content of a refused write'))
  await scene.say('before a write out of scope', voice.before(refused), /Scope Violation|not authorized/)
  const folder = scene.text('a path outside').replace(/\W+/g, '-')
  const outside = `/home/ada/${folder}/x`
  const place = { form: scene.forms[0]?.form ?? '', moment: `a path outside of ${voice.agent}` }
  scene.story.markers.keep(place, outside)
  await scene.say('before a write elsewhere', voice.before(voice.shell(`echo x >${outside}`, '')))
  for (let n = 0; n < 2; n++) await scene.say('before a write out of scope', voice.before(refused), /not authorized/)
  await scene.say('before a write after the stop', voice.before(voice.write('src/a.ts', 'x\n')), /run-stopped/)
}

// The commit takes the lessons with it, and the one of the last agent leaves them to wait.
async function commitWork({ story, voice, forms }: Scene): Promise<void> {
  const { repo } = story
  const git = (...words: string[]): string => {
    try {
      const env = { ...repo.env(), CLAUDECODE: '1' }
      return execFileSync('git', words, { cwd: repo.root, env, encoding: 'utf8', stdio: 'pipe' })
    } catch (thrown) {
      return String((thrown as { stderr: string }).stderr)
    }
  }
  const message = secretText(story, { form: forms[3], moment: `the message of a refused commit of ${voice.agent}` })
  await repo.write('lib/x.ts', `${voice.agent}\n`)
  git('add', 'lib')
  const refusal = git('commit', '-qm', message)
  if (!/outside intent/.test(refusal)) throw new Error(`The commit was not refused: ${refusal}`)
  git('reset', '-q', 'HEAD', 'lib')
  git('checkout', '-q', 'lib')
  if (voice.agent === 'generic') return
  git('add', 'src')
  git('commit', '-qm', `work of ${voice.agent}`, '-m', 'Intent-ID: INT-001')
}

async function useServer(scene: Scene): Promise<void> {
  const { voice } = scene
  await scene.say('at a prompt', voice.prompt(scene.text('a prompt')))
  const use = { tool: 'mcp__shop__query', input: { url: scene.text('an argument of a server'), sql: 'select 1' } }
  await scene.say('before a call of a server', voice.before(use))
  await scene.say('after a call of a server', voice.after(use, scene.text('an answer of a server')))
  await scene.say('after a failed call', voice.failed(use, scene.text('an error of a server')))
}

// Each form in the last call of a run that was stopped: with its output, or with its error.
async function loop(scene: Scene): Promise<void> {
  const { voice, forms, story } = scene
  await flushedRecords(story.repo)
  for (const [n, form] of forms.entries()) {
    await scene.say('at a prompt', voice.prompt(scene.text('a prompt', form)))
    const hasPassed = n % 2 === 0
    // What only reads may be repeated more often.
    const use = scene.shell('a command', form, hasPassed ? 'make; ' : '')
    await scene.say('before a command', voice.before(use))
    const [output, error] = [scene.text('an output', form), scene.text('an error', form)]
    const ended = hasPassed ? voice.after(use, output) : voice.failed(use, error)
    await scene.say('after a command', ended)
    await scene.say(`after a command with ${form.form} again`, ended, /kotef stopped this run/)
  }
}

// With a secret in the environment, and each form in the output; two of them pass in the end.
async function runChecks(story: Story): Promise<void> {
  const { repo } = story
  mkdirSync(join(repo.base, 'home', SOURCES))
  const forms = (file: number) => SECRET_FORMS.filter((_, n) => n % 3 === file)
  for (const file of [0, 1, 2]) {
    const lines = forms(file).map(form => `Error: ${secretText(story, { form, moment: 'the output of a check' })}`)
    writeFileSync(join(repo.base, 'home', SOURCES, String(file)), lines.join('\n'))
  }
  const [form] = SECRET_FORMS
  const env = { DEPLOY_TOKEN: secretText(story, { form, moment: 'the environment of a check' }) }
  for (const change of ['', 'echo done >src/done.ts']) {
    await repo.play(change)
    const { code } = await repo.run('kotef', ['check', 'INT-001'], { env })
    if (code !== 1) throw new Error(`kotef check ended with ${code}.`)
  }
}

/** A session of another agent, with a server of its own, which learns what the others did, and goes on. */
async function askServer(story: Story): Promise<McpClient> {
  const { repo } = story
  const mcp = await spawnMcp(repo)
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<void> => {
    const { isError, text, value } = await mcp.call(name, args)
    if (isError) throw new Error(`${name} was answered with: ${text}`)
    story.answers.push({ where: `the answer of ${name}`, text: `${text}\n${JSON.stringify(value)}`, agent: 'tester' })
  }
  await ask('list_intents')
  await ask('select_active_intent', { intent_id: 'INT-001' })
  await ask('intent_context')
  await ask('where_is', { words: 'token password error test' })
  const { resources } = await mcp.client.listResources()
  for (const { uri } of resources)
    story.answers.push({ where: uri, text: JSON.stringify(await mcp.client.readResource({ uri })), agent: 'tester' })
  return mcp
}

/** All commits as one on a branch of its own, and everything on the remote. */
async function land(repo: Repo): Promise<void> {
  await repo.play(`
    git stash -q -u
    git switch -q before && git merge -q --squash main && git commit -qm landed -m 'Intent-ID: INT-001'
    git switch -q main && git stash pop -q`)
  await flushedRecords(repo)
}
