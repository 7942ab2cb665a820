/** Modules that the small bundles load from `command-line.cjs`, because they seldom need them: see `.ci/bundle.mjs`. */
export const LAZY_MODULES: Readonly<Record<string, () => Promise<unknown>>> = {
  'shells/agent-hook/read-call-policy': () => import('../../shells/agent-hook/read-call-policy.ts'),
  'shells/agent-hook/own-new-files': () => import('../../shells/agent-hook/own-new-files.ts'),
  'shells/agent-hook/judge-recorded-writes': () => import('../../shells/agent-hook/judge-recorded-writes.ts'),
  'shells/agent-hook/new-conflicts': () => import('../../shells/agent-hook/new-conflicts.ts'),
  'shells/agent-hook/context-reply': () => import('../../shells/agent-hook/context-reply.ts'),
  'shells/agent-hook/judge-session-write': () => import('../../shells/agent-hook/judge-session-write.ts'),
  'shells/agent-hook/learn-from-calls': () => import('../../shells/agent-hook/learn-from-calls.ts'),
  'world/io/worktree/workspace': () => import('../../world/io/worktree/workspace.ts'),
  'world/lifecycle/agent-session': () => import('../../world/lifecycle/agent-session.ts'),
  'world/commits/judge-reported-commits': () => import('../../world/commits/judge-reported-commits.ts'),
  'world/recording/observation/record-without-daemon': () =>
    import('../../world/recording/observation/record-without-daemon.ts'),
  'world/recording/agent-activity/claim-recorded-write': () =>
    import('../../world/recording/agent-activity/claim-recorded-write.ts'),
  'world/provenance/commit-records': () => import('../../world/provenance/commit-records.ts'),
  'world/provenance/attribution-sources': () => import('../../world/provenance/attribution-sources.ts'),
  'core/authorship/attribute-lines': () => import('../../core/authorship/attribute-lines.ts'),
  'world/ledger/append-records': () => import('../../world/ledger/append-records.ts'),
  'world/ledger/gunzip-file': () => import('../../world/ledger/gunzip-file.ts'),
  'core/ledger/read-ledger': () => import('../../core/ledger/read-ledger.ts'),
  'world/provenance/sync-claims': () => import('../../world/provenance/sync-claims.ts'),
  'world/provenance/merge-notes': () => import('../../world/provenance/merge-notes.ts'),
  'world/provenance/first-notes': () => import('../../world/provenance/first-notes.ts'),
  'world/provenance/path-owners': () => import('../../world/provenance/path-owners.ts'),
  'shells/cli/watch-here': () => import('../../shells/cli/watch-here.ts'),
  'shells/cli/prompts': () => import('../../shells/cli/prompts.ts'),
}
