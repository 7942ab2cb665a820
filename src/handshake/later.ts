/** What a hook seldom needs. The program of the hook asks for it by these names: see `.ci/bundle.mjs`. */
export const later: Readonly<Record<string, () => Promise<unknown>>> = {
  'read-policy': () => import('./read-policy.ts'),
  'judge-written': () => import('./judge-written.ts'),
  'tell-context': () => import('./tell-context.ts'),
  workspace: () => import('../workspace/workspace.ts'),
  'end-hooked': () => import('../workspace/end-hooked.ts'),
  'resume-hooked': () => import('../workspace/resume-hooked.ts'),
  unwatched: () => import('../recording/unwatched.ts'),
  'claim-late': () => import('../recording/claim-late.ts'),
}
