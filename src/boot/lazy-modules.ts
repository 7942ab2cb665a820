/** Modules that the small bundles load from `command-line.cjs`, because they seldom need them: see `.ci/bundle.mjs`. */
export const LAZY_MODULES: Readonly<Record<string, () => Promise<unknown>>> = {
  'agent-hook/read-call-policy': () => import('../agent-hook/read-call-policy.ts'),
  'agent-hook/judge-recorded-writes': () => import('../agent-hook/judge-recorded-writes.ts'),
  'agent-hook/context-reply': () => import('../agent-hook/context-reply.ts'),
  'agent-hook/judge-session-write': () => import('../agent-hook/judge-session-write.ts'),
  'worktree/workspace': () => import('../worktree/workspace.ts'),
  'intent-lifecycle/agent-session': () => import('../intent-lifecycle/agent-session.ts'),
  'commits/judge-reported-commits': () => import('../commits/judge-reported-commits.ts'),
  'observation/record-without-daemon': () => import('../observation/record-without-daemon.ts'),
  'agent-activity/claim-recorded-write': () => import('../agent-activity/claim-recorded-write.ts'),
  'provenance/commit-records': () => import('../provenance/commit-records.ts'),
  'provenance/attribution-sources': () => import('../provenance/attribution-sources.ts'),
  'attribution/attribute-lines': () => import('../attribution/attribute-lines.ts'),
  'ledger/read-ledger': () => import('../ledger/read-ledger.ts'),
  'provenance/sync-claims': () => import('../provenance/sync-claims.ts'),
  'provenance/path-owners': () => import('../provenance/path-owners.ts'),
  'cli/prompts': () => import('../cli/prompts.ts'),
}
