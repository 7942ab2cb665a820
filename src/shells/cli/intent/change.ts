import { KotefError } from '../../../core/base/failure.ts'
import { addIntent, editIntent, reopenIntent, stopIntent } from '../../../world/lifecycle/change-intents.ts'
import { completeIntents, type Completion, type CriterionResult } from '../../../world/lifecycle/complete-intents.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { commitAdvice, commitRegistry, uncommittedIntents } from '../../../world/intents/registry/commit-registry.ts'
import { firstArgument, lineOption, listOption, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { splitIntoFiles } from '../../../world/lifecycle/split-registry.ts'
import { loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { compilePolicy } from '../../../world/intents/policy/compile-policy.ts'
import { restoreRegistry } from '../../../world/intents/registry/edit-registry.ts'
import { INTENTS_FOLDER, REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { plural } from '../../../core/base/printable.ts'
import type { IntentFields } from '../../../core/intents/edit-yaml.ts'
import type { Criterion, Intent, IntentStatus } from '../../../core/intents/intent.ts'
import { printable } from '../../../core/base/printable.ts'
import { requirePerson } from '../person.ts'
import { approvingOwnEdit } from './own-edit.ts'
import { scopeRemarkLines, scopeRemarks } from './scope-remarks.ts'
import { findingLines } from '../../../core/report/finding-lines.ts'

/** `kotef intent add`: a new intent, PENDING. */
export const add: RunVerb = async call => {
  const fields = intentFieldsIn(call)
  if (fields.name === undefined)
    throw new KotefError('usage', 'An intent needs a name.', {
      hint: "Give it one: `kotef intent add --name 'what is wanted' --scope 'src/**'`",
    })
  const workspace = await openWorkspace(call.cwd)
  const before = await textToRestore(call, workspace)
  const intent = await approvingOwnEdit(call, workspace, () =>
    addIntent(workspace, { ...fields, id: textOption(call, 'id') }),
  )
  const remarks = await scopeRemarks(workspace, intent)
  const lines = [
    `Added ${intent.id}: ${intent.name}`,
    ...(intent.owned_scope.length === 0
      ? [`  Its scope is empty; add paths with \`kotef intent edit ${intent.id} --add-scope '<glob>'\``]
      : []),
    ...scopeRemarkLines(remarks),
    ...(intent.standing ? [] : [`  Start it with \`kotef intent start ${intent.id}\`.`]),
    ...(await committing(call, workspace, { subject: `add ${intent.id}`, before })),
  ]
  return { text: lines.join('\n'), json: { intent, ...remarks } }
}

/** `kotef intent edit`: replaces fields of an intent, or adds and removes single globs of its scope. */
export const edit: RunVerb = async call => {
  if (Object.keys(fieldChanges(call, null)).length === 0) {
    throw new KotefError('usage', 'Nothing to edit.', {
      hint: 'Name the fields to change: see `kotef intent edit --help`',
    })
  }
  const workspace = await openWorkspace(call.cwd)
  const text = await textToRestore(call, workspace)
  let before: Intent | null = null
  const intent = await approvingOwnEdit(call, workspace, () =>
    editIntent(workspace, firstArgument(call), it => fieldChanges(call, (before = it))),
  )
  const advice = await committing(call, workspace, { subject: `edit ${intent.id}`, before: text })
  const remarks = await scopeRemarks(workspace, intent)
  const scopeChanged = JSON.stringify(before && (before as Intent).owned_scope) !== JSON.stringify(intent.owned_scope)
  const lines = [
    `Edited ${intent.id}.`,
    ...(scopeChanged ? scopeRemarkLines(remarks) : []),
    ...(scopeChanged && advice.length > 0 && call.options['commit'] !== true
      ? ['  The committed scope applies until this change is committed.']
      : []),
    ...advice,
  ]
  return { text: lines.join('\n'), json: { intent, ...remarks } }
}

function fieldChanges(call: VerbCall, current: Intent | null): IntentFields {
  const fields = intentFieldsIn(call)
  const added = listOption(call, 'addScope')
  const removed = listOption(call, 'removeScope')
  if (!added && !removed) return fields
  if (current) refuseAbsentGlobs(removed ?? [], current)
  const remaining = (fields.owned_scope ?? current?.owned_scope ?? []).filter(it => !removed?.includes(it))
  return { ...fields, owned_scope: [...new Set([...remaining, ...(added ?? [])])] }
}

function refuseAbsentGlobs(removed: readonly string[], { id, owned_scope: scope }: Intent): void {
  const absent = removed.find(it => !scope.includes(it))
  if (absent === undefined) return
  const hint = `Its scope is: ${scope.map(printable).join(' ') || 'empty'}`
  throw new KotefError('usage', `${printable(absent)} is not in the scope of ${id}.`, { hint })
}

/** The fields that a call sets. The registry's schema checks their values. */
export function intentFieldsIn(call: VerbCall): IntentFields {
  const fields = {
    name: lineOption(call, 'name'),
    description: textOption(call, 'description'),
    owned_scope: listOption(call, 'scope'),
    constraints: listOption(call, 'constraint'),
    acceptance_criteria: criteriaIn(call),
    non_goals: listOption(call, 'nonGoal'),
    related_specs: listOption(call, 'spec')?.map(url => ({ type: 'spec', url })) ?? null,
    depends_on: listOption(call, 'dependsOn'),
    appetite: textOption(call, 'appetite') as Intent['appetite'] | null,
    // What is false is taken back.
    kind: call.options['kind'] === false ? undefined : (textOption(call, 'kind') as Intent['kind'] | null),
    standing: call.options['standing'] === false ? undefined : call.options['standing'] === true ? true : null,
    limits: limitsIn(call),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as IntentFields
}

function limitsIn(call: VerbCall): NonNullable<Intent['limits']> | null {
  const files = countOption(call, 'limitFiles')
  const lines = countOption(call, 'limitLines')
  if (files === null && lines === null) return null
  return { ...(files !== null && { files }), ...(lines !== null && { lines }) }
}

function countOption(call: VerbCall, name: string): number | null {
  const text = textOption(call, name)
  return text === null ? null : Number(text)
}

function criteriaIn(call: VerbCall): Criterion[] | null {
  const prose = listOption(call, 'criterion')
  const checks = listOption(call, 'check')
  return prose || checks ? [...(prose ?? []), ...(checks ?? []).map(cmd => ({ cmd }))] : null
}

/** `kotef intent complete`: runs the checks of intents, and completes them when they pass and the rest is attested. */
export const complete: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { person, remarks } = await requirePerson(call, workspace, { what: 'complete an intent' })
  const before = await textToRestore(call, workspace)
  const completing = {
    ids: call.args[0] as readonly string[],
    reason: textOption(call, 'reason'),
    attested: call.options['attest'] === true ? person : null,
    env: call.env,
    onCheckStart: (command: string) => call.notify(`$ ${command}`),
  }
  const completions = await approvingOwnEdit(call, workspace, () => completeIntents(workspace, completing))
  const json = completing.ids.length === 1 ? completions[0]! : { completions }
  const unmet = completions.find(it => it.findings.length > 0)
  if (unmet) return { text: unmetText(unmet, completing.ids), json, exit: 1 }
  const completed = completions.flatMap(({ intent, results }) => [statusLine(intent), ...results.map(resultLine)])
  const lines = [...completed, ...(completing.attested ? remarks : [])]
  const subject = `complete ${completions.map(it => it.intent.id).join(', ')}`
  return { text: [...lines, ...(await committing(call, workspace, { subject, before }))].join('\n'), json }
}

function unmetText({ intent: { id }, findings }: Completion, { length }: readonly string[]): string {
  return findingLines(
    length > 1 ? `${id} is not complete, and so none is completed` : `${id} is not complete`,
    findings,
  )
}

function statusLine({ id, status, name }: Intent): string {
  return `${id} is ${status}: ${name}`
}

/** The subject of a governance commit, and the registry before the verb; null where more than that was changed. */
type RegistryCommit = { readonly subject: string; readonly before: string | null }

/**
 * Makes the governance commit where `--commit` asks for it, else says how to make it. If git refuses the commit, the
 * registry gets its text from before back.
 */
export async function committing(
  call: VerbCall,
  workspace: Workspace,
  { subject: own, before }: RegistryCommit,
): Promise<string[]> {
  if (call.options['commit'] !== true) return commitAdvice(workspace, own)
  const others = before === null ? [] : await uncommittedIntents(workspace, before)
  const along = others.filter(it => !own.split(/[ ,]+/).includes(it))
  const subject = along.length === 0 ? own : `${own}, with ${along.join(', ')}`
  const words = { subject, reason: lineOption(call, 'reason') }
  const isNew = await commitRegistry(workspace, words, call.env).catch(async (thrown: unknown) => {
    if (before !== null) await takeBackEdit(workspace, before)
    throw before === null ? thrown : withoutEdit(thrown)
  })
  return isNew ? [`  Committed the registry: ${subject}`] : []
}

/** The registry before a verb that may have to take its edit back; null where nobody asks for a commit. */
async function textToRestore(call: VerbCall, workspace: Workspace): Promise<string | null> {
  return call.options['commit'] === true ? (await loadRegistry(workspace)).text : null
}

async function takeBackEdit(workspace: Workspace, before: string): Promise<void> {
  const message = 'git did not commit the last change of the registry, which was taken back'
  await restoreRegistry(workspace, before, { event: 'problem', path: REGISTRY_PATH, message })
  await compilePolicy(workspace)
}

function withoutEdit(thrown: unknown): unknown {
  if (!(thrown instanceof KotefError) || thrown.code !== 'git-failed') return thrown
  const [, why = ''] = /\n(.*)$/s.exec(thrown.message) ?? []
  return new KotefError('git-failed', `Git did not commit the registry, which is as it was before:\n${why}`, {
    hint: 'Settle that, and run the command again; without `--commit` it changes the file alone.',
  })
}

function resultLine({ criterion, why }: CriterionResult): string {
  return `  ${why.padEnd(8)}  ${criterion}`
}

/** `kotef intent block` and `kotef intent abandon`: ends the work on an intent. */
export function blockOrAbandon(to: IntentStatus): RunVerb {
  return async call => {
    const workspace = await openWorkspace(call.cwd)
    await requirePerson(call, workspace, { what: 'end the work on an intent' })
    const before = await textToRestore(call, workspace)
    const intent = await approvingOwnEdit(call, workspace, () =>
      stopIntent(workspace, {
        id: firstArgument(call),
        to,
        reason: textOption(call, 'reason'),
        successor: textOption(call, 'successor'),
      }),
    )
    const verb = to === 'BLOCKED' ? 'block' : 'abandon'
    const lines = [
      statusLine(intent),
      ...(await committing(call, workspace, { subject: `${verb} ${intent.id}`, before })),
    ]
    return { text: lines.join('\n'), json: { intent } }
  }
}

/** `kotef intent reopen`: opens a completed intent again. */
export const reopen: RunVerb = async call => {
  const reason = lineOption(call, 'reason')?.trim() ?? ''
  const id = firstArgument(call)
  if (reason === '')
    throw new KotefError('usage', 'A completed intent is reopened for a reason.', {
      hint: `Give it: \`kotef intent reopen ${id} --reason 'why'\``,
    })
  const workspace = await openWorkspace(call.cwd)
  await requirePerson(call, workspace, { what: 'reopen an intent' })
  const before = await textToRestore(call, workspace)
  const intent = await approvingOwnEdit(call, workspace, () => reopenIntent(workspace, id, reason))
  const lines = [
    `${intent.id} is open again: ${intent.name}`,
    ...(await committing(call, workspace, { subject: `reopen ${id}`, before })),
  ]
  return { text: lines.join('\n'), json: { intent } }
}

/** `kotef intent split`: one intent a file. */
export const split: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const before = await textToRestore(call, workspace)
  const moved = await approvingOwnEdit(call, workspace, () => splitIntoFiles(workspace))
  const json = { moved: moved.map(it => it.id) }
  if (moved.length === 0) return { text: 'The list has no intent to move.', json }
  const where = `Moved ${plural(moved.length, 'intent')} into ${INTENTS_FOLDER}/, one file each.`
  const lines = [where, ...(await committing(call, workspace, { subject: 'one intent a file', before }))]
  return { text: lines.join('\n'), json }
}
