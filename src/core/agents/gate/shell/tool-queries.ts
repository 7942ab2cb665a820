import type { Arg } from './arguments.ts'

/** True for a tool that only prints its version or its help. `python -v` still runs a script from stdin. */
export function printsVersionOrHelp(name: string, [first, ...more]: readonly Arg[]): boolean {
  const isVerboseMode = first?.text === '-v' && name.startsWith('python')
  const option = first?.text ?? ''
  const isShort = /^-[vV]$/.test(option) && SHORT_OPTION_TOOLS.test(name) && !isVerboseMode
  const isLong = /^--(?:version|help)$/.test(option) && (SHORT_OPTION_TOOLS.test(name) || TOOLS.has(name))
  return more.length === 0 && (isShort || isLong)
}

/** True for a query about packages; other options may name a program to run, or a file to write. */
export function readsPackages(name: string, [first, ...more]: readonly Arg[]): boolean {
  return (
    PACKAGE_QUERIES.test(`${name} ${first?.text ?? ''}`) &&
    // Else it may write `Cargo.lock`.
    (name !== 'cargo' || more.some(it => /^--(?:locked|frozen)$/.test(it.text ?? ''))) &&
    more.every(it => it.isOperand || PLAIN_OPTION.test(it.text ?? ''))
  )
}

const PLAIN_OPTION_NAMES =
  '[lgamuvdiefp] json all long global depth(?:=\\d+)? parseable versions format(?:=\\w+)? format-version(?:=1)? ' +
  'no-deps outdated user local locked frozen offline duplicates invert omit=\\w+ prod deps test find ' +
  'package=[\\w-]+ edges=\\w+'
const PLAIN_OPTION = new RegExp(`^--?(?:${PLAIN_OPTION_NAMES.replaceAll(' ', '|')})$`)
// Of the others some begin to work with a short option.
const SHORT_OPTION_TOOLS =
  /^(?:node|pnpm|npm|npx|yarn|deno|bun|tsc|python[\d.]*|pip3?|ruby|perl|php|java|go|cargo|rustc|c?make|gcc|docker|gh)$/
// Tools that for such an argument load nothing of the project.
const TOOLS: ReadonlySet<string> = new Set(
  (
    'corepack uv rustup gofmt clang g++ cc c++ ld ninja meson bazel rg fd fdfind jq yq bat tree ffmpeg ' +
    'ffprobe pandoc dot hyperfine shellcheck hadolint actionlint black ruff mypy esbuild biome protoc buf ' +
    'packer vault terraform kubectl helm kustomize minikube kind k3d aws gcloud az podman buildah skopeo ' +
    'openssl gpg bash zsh fish tmux vim nvim emacs code zip unzip gzip xz zstd rsync sqlite3 psql redis-cli ' +
    'mysql mongosh systemctl git-lfs glab lua luajit zig swift elixir erl ghc dotnet R julia nix brew ' +
    'parallel entr delta fzf eza exa ag tokei cloc scc split csplit patch cpio xmllint man less tput watch ' +
    'busybox clang-format clang-tidy gdb lldb strace ctags'
  ).split(' '),
)
const PACKAGE_QUERIES =
  /^(?:npm (?:ls|list|view|outdated|why)|go (?:version|list)|pip3? (?:list|show|freeze)|cargo (?:tree|metadata))$/
