/**
 * The words by which a command may be described. Nothing of a command line is copied: a word of it is named when it
 * stands here, at its place, and is left out otherwise. So a secret does not get through, however the line is written.
 */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Names of scripts that many projects have, also divided by colons, such as `test:unit`. */
export const SCRIPTS = words(
  `all api app bench browser build bundle check ci clean client compile core cov coverage cypress debug deploy
  dev develop docs e2e fast fix format fmt generate install integration jest lint local migrate mocha mutation
  node playwright prepare preview prod quick release seed server setup smoke start storybook stylelint test
  tests tidy tsc type typecheck types typescript ui unit update validate verify vitest watch web`,
)

/** Modules that `python -m` runs. */
const MODULES = words(
  `black build compileall coverage doctest flake8 http.server isort mypy nose pip pre_commit py_compile pylint
  pytest ruff timeit tox twine unittest venv`,
)

const RUNNER = words(
  'add ci create dev dlx exec i info install list outdated pack prune publish remove run start test uninstall update',
)
const NONE = words('')

/** The programs that are named, each with the words that may follow it; the words of a script follow `run`. */
export const PROGRAMS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['npm', 'pnpm', 'yarn', 'bun'].map(it => [it, RUNNER] as const),
  ['deno', words('bench cache check compile fmt install lint run task test')],
  [
    'git',
    words(
      `add am apply bisect blame branch checkout cherry-pick clean clone commit config diff fetch grep init log
      ls-files merge mv pull push rebase reflog remote reset restore revert rm show stash status submodule switch
      tag worktree`,
    ),
  ],
  ['cargo', words('add bench build check clean clippy doc fmt install nextest publish run test update')],
  ['go', words('build fmt generate get install list mod run test tidy vet work')],
  [
    'docker',
    words('build compose cp create down exec images inspect login logs ps pull push restart rm run start stop up'),
  ],
  ['kubectl', words('apply create delete describe exec get logs patch rollout scale')],
  ['helm', words('install lint template uninstall upgrade')],
  ['terraform', words('apply destroy fmt init plan show validate')],
  ['dotnet', words('build clean format publish restore run test')],
  ['vitest', words('bench list related run watch')],
  ['mix', words('compile deps.get format phx.server test')],
  ['swift', words('build package run test')],
  ['poetry', words('add build check install lock remove run show update')],
  ['uv', words('add lock pip run sync venv')],
  ['bundle', words('add exec install update')],
  ['composer', words('install require test update')],
  [
    'kotef',
    words('approve blame check contract doctor explain flush intent lesson log scope session status verify why'),
  ],
  ['gh', words('api auth issue pr release repo run workflow')],
  ...['python', 'python3', 'py'].map(it => [it, MODULES] as const),
  ...['make', 'just', 'task', 'rake', 'gradle', 'gradlew', 'mvn', 'mvnw', 'nx', 'turbo', 'npx', 'bunx'].map(
    it => [it, SCRIPTS] as const,
  ),
  ...[
    ...words(
      `ant ava awk aws az babel bash bats black cat cd chmod chown clang clang-tidy cmake cp cross-env csc ctest
      curl cut command cypress dash date doas exec nice nohup setsid stdbuf sudo detox df diff dig du echo env
      esbuild eslint expect false find flake8 fmt g++ gcc gcloud golangci-lint grep gunzip gzip head heroku http
      isort jasmine java javac jest jq karma kill ktlint less ln ls lsof mkdir mocha mongosh mv mypy mysql nc
      nextest node nodemon nyc openssl perl pg_dump php phpstan phpunit ping pip pip3 playwright prettier printf
      ps psql pwd pylint pyright pytest redis-cli rg rm rollup rsync rspec rubocop ruby ruff rustc scp sed sh
      sleep sort sqlite3 ssh ssh-keygen standard stat swc tail tap tar tee test timeout touch tox tr tree true
      ts-node tsc tsx uniq unzip vault vercel vite watch wc webpack wget which xargs xcodebuild xo yq zip
      zsh`,
    ),
  ].map(it => [it, NONE] as const),
])

/** Programs that run the one that is named after them and their options. */
export const WRAPPERS = words(
  'command cross-env doas env exec nice nohup npx bunx setsid stdbuf sudo time timeout xargs',
)

/** Names of long options. A short option is one letter, and needs no list. */
export const OPTIONS = words(
  `access-key all api-key auth bail base body branch cached check ci color config cookie coverage cwd data
      data-raw data-binary debug dir dry-run env env-file exit-code file filter fix force form format
      frozen-lockfile grep header help host ignore include insecure json key keys local location log-level
      max-old-space-size maxfail message mode name no-cache no-color no-coverage no-verify noemit nocapture noEmit
      only oneline out output passWithNoTests password port prefix production profile project proxy quiet
      recursive release remote reporter request retries run runInBand runTestsByPath secret shard short silent
      skip-tests source stat tag target tb test test-name-pattern testNamePattern testPathPattern testTimeout
      timeout token trace type update updateSnapshot upload-file url user username verbose version watch watchAll
      with-token workspace workspaces write yes`,
)
