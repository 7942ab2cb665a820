/** The environment without the variables that name a repository. The user's configuration stays in it. */
export function withoutRepositoryEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.test(name)))
}

const REPOSITORY_VARIABLES = new RegExp(
  '^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|CONFIG|PREFIX|NAMESPACE|SHALLOW_FILE|GRAFT_FILE|' +
    'OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|QUARANTINE_PATH|TRACE2.*)$',
)
