import { SESSION } from './session-files.ts'

/** A message to an agent that breaks no rule, but for what is changed in it. */
export function inputMessage(more: object = {}): object {
  return {
    task: {
      id: 'T-001',
      title: 'Refunds',
      goal: 'Refund a payment',
      non_goals: [],
      context_files: ['spec.md', 'tasks.yaml', 'architecture.md'].map(it => `.agents-work/${SESSION}/${it}`),
      constraints: [],
      acceptance_checks: ['cmd: npm test'],
      risk_flags: ['none'],
    },
    project_type: 'web',
    repo_state: { branch: 'main', ci_status: 'unknown', last_failed_step: null },
    tools_available: ['read_file', 'run_cmd'],
    ...more,
  }
}

/** An answer of an agent that breaks no rule, but for what is changed in it. */
export function outputMessage(edits: object = {}): object {
  const { artifacts = {}, ...more } = edits as { readonly artifacts?: object }
  const needed = { commands_to_run: ['npm test'], notes: [] }
  return {
    status: 'OK',
    summary: 'Refunds work.',
    artifacts: Array.isArray(artifacts) ? artifacts : { ...needed, ...artifacts },
    gates: { meets_definition_of_done: true, needs_review: false, needs_tests: false, security_concerns: [] },
    next: { recommended_agent: 'Reviewer', recommended_task_id: 'T-001', reason: 'It is implemented.' },
    ...more,
  }
}
