/** Why a variable changes what follows in the line, or what a program does; null for any other. */
export function whySpecial(name: string): string | null {
  return ROWS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** Why it matters when a variable is removed; null for one without which a program only falls back to its default. */
export function whyNeeded(name: string): string | null {
  return ROWS.find(([pattern, , whenUnset]) => whenUnset === 'needed' && pattern.test(name))?.[1] ?? null
}

type SpecialVariables = readonly [names: RegExp, why: string, whenUnset?: 'needed']

const ROWS: readonly SpecialVariables[] = (
  [
    // The shell
    ['\\w*PATH \\w*path', 'programs and modules are found by it', 'needed'],
    ['HOME ZDOTDIR XDG_\\w+', 'programs read their settings there', 'needed'],
    ['(?:OLD)?PWD DIRSTACK dirstack', 'a path may begin there', 'needed'],
    ['ENV BASH_ENV', 'a shell runs the file that it names', 'needed'],
    ['SHELL', 'programs run it', 'needed'],
    ['SHELLOPTS BASHOPTS POSIXLY_CORRECT options', 'it changes how a shell reads', 'needed'],
    ['BASH\\w* ZSH\\w* zsh\\w*', 'it is a part of the shell', 'needed'],
    ['argv commands functions modules widgets mapfile \\w*aliases dis_\\w*', 'it is a part of the shell'],
    ['nameddirs userdirs histchars', 'it changes how a shell reads'],
    [
      'PROMPT\\w* RPROMPT\\w* PS[0-4] RPS\\d \\w+_functions precmd preexec chpwd auto_resume',
      'the shell runs its value',
    ],
    ['IFS', 'the shell makes words by it'],
    ['GLOBIGNORE EXECIGNORE FIGNORE NULLCMD READNULLCMD', 'it changes what a word means'],
    // In zsh they are numbers, and a number is the value of an expression, which may set others.
    ['COLUMNS LINES SECONDS RANDOM SRANDOM LINENO OPTIND HISTCMD HISTSIZE SAVEHIST', 'the shell computes its value'],
    ['SHLVL U?ID E?[UG]ID FUNCNEST LISTMAX MAILCHECK ERRNO TRY_BLOCK_\\w+ LOGCHECK', 'the shell computes its value'],
    ['KEYTIMEOUT TMOUT BAUD DIRSTACKSIZE SPROMPT PERIOD COMP_\\w+', 'the shell computes its value'],
    // Programs
    ['LD_\\w+ DYLD_\\w+ GLIBC_TUNABLES MALLOC_\\w+ TERMINFO\\w* TERMCAP', 'what it names is loaded', 'needed'],
    ['NODE_\\w+ PYTHON\\w* PERL\\w* RUBY\\w* PHP\\w* LUA_\\w+ R_\\w+', 'an interpreter loads what it names'],
    ['_?JAVA_\\w+ JDK_\\w+ CLASSPATH MAVEN_\\w+ GRADLE_\\w+ DOTNET_\\w+', 'an interpreter loads what it names'],
    ['npm_\\w* NPM_\\w* COREPACK_\\w+ GEM_\\w+ BUNDLE_\\w+ PIP_\\w+ UV_\\w+', 'a package manager is set up by it'],
    ['CARGO\\w* RUST\\w* GO[A-Z0-9]+ CC CXX CFLAGS LDFLAGS MAKE\\w*', 'a compiler is set up by it'],
    ['\\w*PAGER \\w*EDITOR VISUAL BROWSER MORE LESS\\w* LV', 'a program that pages or edits is run by it'],
    ['GIT_\\w+ SSH_\\w+ GPG_\\w+ GNUPGHOME', 'git is set up by it', 'needed'],
    ['KOTEF\\w*', 'kotef is set up by it', 'needed'],
    ['\\w+_proxy \\w+_PROXY', 'what a program fetches comes from there'],
    ['TMPDIR TMPPREFIX TEMP TMP', 'programs write there'],
  ] as const
).map(([names, ...rest]): SpecialVariables => [new RegExp(`^(?:${names.replaceAll(' ', '|')})$`), ...rest])
