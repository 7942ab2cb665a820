/** What a program of few files seldom needs; it asks the whole command line for it: see `.ci/bundle.mjs`. */
export const later: Readonly<Record<string, () => Promise<unknown>>> = {
  'handshake/read-policy': () => import('./handshake/read-policy.ts'),
  'handshake/judge-written': () => import('./handshake/judge-written.ts'),
  'handshake/tell-context': () => import('./handshake/tell-context.ts'),
  'workspace/workspace': () => import('./workspace/workspace.ts'),
  'workspace/end-hooked': () => import('./workspace/end-hooked.ts'),
  'workspace/resume-hooked': () => import('./workspace/resume-hooked.ts'),
  'workspace/judge-told': () => import('./workspace/judge-told.ts'),
  'recording/unwatched': () => import('./recording/unwatched.ts'),
  'recording/claim-late': () => import('./recording/claim-late.ts'),
  'provenance/attributed': () => import('./provenance/attributed.ts'),
  'provenance/evidence': () => import('./provenance/evidence.ts'),
  'attribution/attribute': () => import('./attribution/attribute.ts'),
  'ledger/read': () => import('./ledger/read.ts'),
  'cli/confirm': () => import('./cli/confirm.ts'),
}
