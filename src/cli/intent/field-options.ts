import type { Command } from 'commander'
import type { IntentFields } from '../../intents/edit-yaml.ts'
import type { Criterion, Intent } from '../../intents/intent.ts'
import { lineOption, listOption, addRepeatableOption, textOption } from '../options.ts'
import type { VerbCall } from '../verb.ts'

/** Adds the flags for an intent's fields, for `intent add` and `intent edit`. */
export function addFieldOptions(command: Command): Command {
  command.option('--name <text>', 'its name').option('--description <text>', 'one paragraph')
  addRepeatableOption(command, '--scope <glob>', 'paths it may change; `!glob` excludes paths')
  addRepeatableOption(command, '--constraint <text>', 'a rule for the work on it')
  addRepeatableOption(command, '--criterion <text>', 'an acceptance criterion that a person attests')
  addRepeatableOption(command, '--check <command>', 'a command that must exit with 0 before completion')
  addRepeatableOption(command, '--non-goal <text>', 'something it does not include')
  addRepeatableOption(command, '--spec <url>', 'a related specification')
  addRepeatableOption(command, '--depends-on <id>', 'an intent to complete first')
  return command.option('--appetite <size>', 'Small, Batch or Big')
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
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as IntentFields
}

function criteriaIn(call: VerbCall): Criterion[] | null {
  const prose = listOption(call, 'criterion')
  const checks = listOption(call, 'check')
  return prose || checks ? [...(prose ?? []), ...(checks ?? []).map(cmd => ({ cmd }))] : null
}
