import type { Random } from '../rig/random.ts'
import type { ChangeOrigin } from './model.ts'

/** Something that git does to the worktree: a line of a shell. `{b}` stands for a branch, `{p}` for a path. */
export type GitOperation = { readonly script: string; readonly by: ChangeOrigin }

const BRANCHES = ['main', 'one', 'two']
const ALL = "-A -- . ':!busy'"

/** All that git does here. What a conflict leaves is put away at once. */
export const GIT_OPERATIONS: readonly GitOperation[] = [
  ...[
    `git add ${ALL}`,
    `git add ${ALL} && git commit -qm step`,
    `git add ${ALL} && git commit -qm step`,
    'git switch -q {b}',
    'git switch -q {b}',
    'git checkout -q -f {b}',
    'git merge -q --no-edit {b} || git merge --abort',
    'git rebase -q {b} || git rebase --abort',
    'git cherry-pick {b} || git cherry-pick --abort',
    'git revert --no-edit HEAD || git revert --abort',
    'git reset -q --hard {b}',
    'git reset -q --soft HEAD~1',
    'git reset -q HEAD~1',
    'git reset -q --merge',
    'git restore {p}',
    'git checkout -q HEAD -- .',
    'git stash push -q -- . ":!busy"',
    'git stash push -q -u -- . ":!busy"',
    'git gc -q',
  ].map(script => ({ script, by: 'git' as const })),
  ...[
    'git stash pop -q || git checkout -q -f HEAD -- .',
    'git stash apply -q || git checkout -q -f HEAD -- .',
    'git cherry-pick -n {b} || git reset -q --hard',
    'git restore --source={b} -- {p}',
    'git clean -fdq -e busy',
  ].map(script => ({ script, by: 'git again' as const })),
]

/** The command of an operation, with its branch and its path chosen. */
export function scriptOf(pattern: string, random: Random, paths: readonly string[]): string {
  const path = paths.length > 0 ? random.pick(paths) : 'src'
  return pattern.replaceAll('{b}', random.pick(BRANCHES)).replaceAll('{p}', path)
}

/** Makes the branches: each changes some of the files, and has some of its own. */
export const BRANCHES_SCRIPT = `git config core.hooksPath /dev/null; git config gc.auto 0
# The dates of the rig are long ago.
git config gc.reflogExpire never; git config gc.reflogExpireUnreachable never
for b in one two; do
  git switch -q -c $b main
  for n in 0 1 2 3; do echo $b >> src/d$n/f$n.ts; echo $b > src/d$n/$b.ts; git add -A; git commit -qm "$b $n"; done
  git rm -q src/d5/f5.ts; git commit -qm "$b: one less"
done
git switch -q main
for n in 3 4 5; do echo main >> src/d$n/f2.ts; git commit -qam "main $n"; done`
