import type { OptionForm } from './arguments.ts'

/**
 * Programs, and words that follow their names, with the options that only read; as many operands as they like, or as
 * many as the number says. An option that writes a file, runs a program or changes a service is missing here, and so is
 * every option that is not known. The names of one row share their form.
 */
export type ReadingForm = { readonly form: OptionForm; readonly operandsMax: number }

const PS = 'aqlsn:f: --services --status= --all --quiet --no-trunc --format= --filter= --last= --latest --size'
const LOGS = 'ftn: --tail= --since= --until= --follow --timestamps --details --no-color --no-log-prefix'
const KUBE =
  'n:o:l:Afc:pw --namespace= --output= --selector= --all-namespaces --watch --show-labels --tail= --since= --follow ' +
  '--container= --previous --context= --sort-by= --field-selector= --no-headers --client --timestamps ' +
  '--all-containers --namespaced= --api-group= --verbs= --ignore-not-found --prefix --for= --types= --containers ' +
  '--subresource= --recursive --revision= --list --timeout= --short --wide'
const GH =
  'R:L:q:s:a:l:t:A:B:H:S:b:e:j:cvdy --assignee= --required --draft --base= --head= --app= --milestone= --mention= ' +
  '--owner= --order= --sort= --language= --visibility= --topic= --archived --source --fork --attempt= --exit-status ' +
  '--interval= --fail-fast --org= --env= --user= --event= --commit= --created= --yaml --ref= --key= --repo= ' +
  '--limit= --json= --jq= --template= --state= --author= --label= --comments --log ' +
  '--log-failed --verbose --name-only --patch --color= --watch --branch= --workflow= --status= --job= --search='
const NPM = 'gal --json --all --long --global --depth= --parseable --omit= --production --audit-level= --workspaces'
const UNIT =
  'aln:o:p:t: --no-pager --all --user --type= --state= --lines= --full --failed --property= --value --no-legend'

const ROWS: readonly (readonly [names: string, form?: OptionForm, operandsMax?: number])[] = [
  // Files and text
  [
    'bat, batcat',
    'pnAPSudr:l:H: --no-paging --theme= --wrap= --tabs= --diff --plain --number --paging= --color= --style= ' +
      '--language= --line-range=',
  ],
  ['xxd', '+-a -b -e -i -p -ps -u -l= -c= -s= -g=', 1],
  ['gunzip -c, gzip -dc, gzip -cd, gzip -l, gzip -t, gunzip -l, gunzip -t', 'fqv'],
  ['xz -dc, xz -cd, xz -l, bzip2 -dc, bzip2 -cd, bunzip2 -c, unxz -c, zstd -dc, unzip -p'],
  ['readelf', 'aehlSsrdVnWI --all --headers --wide --symbols --segments --sections --dynamic'],
  ['nm', 'ACDgnoprPSuv --dynamic --demangle --defined-only --extern-only --undefined-only --size-sort'],
  ['lsof', 'abnPltURi:p:u:c:d:s:F:'],
  ['lsattr', 'Radlpv'],
  ['getfacl', 'acenptR'],
  ['man, apropos, whatis', 'kfwa'],
  ['tldr', 'p: --platform='],
  ['exa, eza', 'laTRF1dghirt:s:L: --long --all --tree --git --level= --icons --color= --sort= --oneline --recurse'],
  ['ag', 'ilnrswvcQSFaG:A:B:C:m: --hidden --nocolor --ignore= --ignore-case --literal --word-regexp --count'],
  ['ack', 'ilnrwvcQhHA:B:C:m: --js --ts --type= --ignore-case --literal --nocolor'],
  ['locate, plocate', 'icbel:n:q0 --ignore-case --count --limit= --basename'],
  ['iconv', 'f:t:cl --from-code= --to-code= --list'],
  ['dos2unix -i, dos2unix --info'],
  ['shasum', 'a:bc --algorithm= --check --binary'],
  ['xmllint', '--noout --format --nonet --html --xpath= --schema='],
  ['col', 'bfhpxl:'],
  ['zless, zmore, info'],
  [
    'ffprobe',
    '-v= -loglevel= -hide_banner -show_format -show_streams -show_entries= -select_streams= -of= -print_format=',
    1,
  ],
  [
    'shellcheck',
    'axVs:f:S:e:i:o: --shell= --format= --severity= --exclude= --include= --enable= --external-sources --version',
  ],
  ['cloc', '--by-file --json --csv --md --yaml --quiet --hide-rate --exclude-dir= --include-lang= --exclude-lang='],
  ['tokei', 'e:o:t:s:fC --exclude= --output= --types= --sort= --files --hidden'],
  ['scc', 'f:i:s:w --format= --include-ext= --exclude-dir= --sort= --by-file --wide --ci --no-cocomo --no-complexity'],
  ['bc', 'lqsw --mathlib --quiet'],
  ['envsubst', 'v --variables'],
  [
    'python3 -I -m json.tool, python -I -m json.tool',
    '--sort-keys --json-lines --indent= --tab --compact --no-ensure-ascii',
    1,
  ],
  // The machine
  ['ss', 'ltnpuaexosm46H --listening --tcp --udp --numeric --processes --all'],
  ['netstat', 'tlnpuares'],
  ['ip addr, ip a, ip route, ip r, ip link, ip l, ip neigh, ip -br a, ip -br addr, ip -4 addr, ip -4 a', '', 0],
  ['ip addr show, ip a show, ip route show, ip link show, ip route get'],
  ['ifconfig', 'a', 1],
  ['dig', 't:x:p:46'],
  ['nslookup', '-type= -query='],
  ['host', 'tavl46'],
  ['ping, ping6', 'c:W:w:i:s:t:nqv46I:'],
  ['nc -z, nc -zv, nc -vz', 'vw:n46'],
  ['traceroute, tracepath', 'nm:w:q:46'],
  ['top -b, top -bn1, top -bn', 'bn:d:o:p:Hu:i1c'],
  ['last, lastlog', 'an:xFiw0123456789', 2],
  ['vmstat, iostat, mpstat', 'aswdxzktmhP:'],
  ['lsblk', 'afmo:pJlSt --json --fs --output= --all'],
  ['findmnt', 'lt:o:JnT: --json --list'],
  ['lsusb, lspci', 'vtkn'],
  ['mount', 'lt:', 0],
  ['lsmod, timedatectl, hostnamectl, localectl, clear, sw_vers, strace -V, ssh -V, htop --version', '', 0],
  ['timedatectl status, hostnamectl status, tput cols, tput lines, tput colors, stty size, stty -a, kill -l', '', 0],
  ['modinfo, kill -0, tput setaf, tput sgr0, tput bold, loginctl list-sessions'],
  ['systemctl status, systemctl list-units, systemctl is-active, systemctl is-enabled, systemctl show', UNIT],
  [
    'systemctl cat, systemctl list-unit-files, systemctl list-timers, systemctl is-failed, systemctl list-dependencies',
    UNIT,
  ],
  [
    'journalctl',
    'n:u:fexkb:p:o:rqS:U:g: --no-pager --since= --until= --unit= --lines= --user --follow --reverse ' +
      '--output= --grep= --disk-usage --list-boots --no-hostname --priority= --boot=',
  ],
  ['crontab -l', 'u:'],
  ['dmesg', 'HTxkul: --human --color= --level= --ctime --follow'],
  ['fuser', 'vmua'],
  ['openssl version', 'a'],
  [
    'openssl x509',
    '-in= -inform= -noout -text -subject -issuer -dates -startdate -enddate -serial -fingerprint -sha256 -pubkey -ext=',
  ],
  [
    'openssl s_client',
    '-connect= -servername= -showcerts -brief -quiet -alpn= -starttls= -verify= -CAfile= -tls1_2 -tls1_3',
    0,
  ],
  ['openssl rand', '-hex -base64', 1],
  ['openssl verify', '-CAfile= -untrusted= -verbose'],
  ['openssl ciphers', '-v -V -s -tls1_2 -tls1_3'],
  ['openssl dgst', '-sha1 -sha256 -sha512 -md5 -hex -r'],
  // Packages
  [
    'npm root, npm prefix, npm bin, npm config get, npm config list, npm config ls, npm pkg get, npm whoami, npm ping',
    NPM,
  ],
  ['npm search, npm explain, npm info, npm show, npm view, npm dist-tag ls, npm query, npm owner ls', NPM],
  // With the name of a package, it starts a browser.
  ['npm fund', NPM, 0],
  ['npm run, npm audit, npm help, npm version, npm run-script', NPM, 0],
  [
    'pip index versions, pip3 index versions, pip check, pip3 check, pip config list, pip3 config list, pip cache dir',
    '--pre --json',
  ],
  ['uv pip list, uv pip show, uv pip freeze, uv pip tree, uv python list, uv tool list', '--outdated --format='],
  ['cargo search', '--limit='],
  ['cargo locate-project', '--workspace --message-format=', 0],
  ['cargo pkgid --locked', '', 1],
  ['cargo version, rustc -vV, rustc -Vv, rustc --version', 'v --verbose', 0],
  ['rustc --print sysroot, rustc --print target-list, rustc --print cfg, rustc --print host-tuple', '', 0],
  [
    'cargo --list, rustup --version, rustup toolchain list, rustup target list, rustup component list',
    'v --installed',
    0,
  ],
  ['go env', '-json'],
  ['go help'],
  ['go tool', '', 0],
  ['go doc', '-all -short -src -u -c -cmd'],
  ['go mod graph, go mod why, go mod verify', '-m -vendor'],
  ['gem list, gem search, gem info, gem which, gem env', 'adl --local --remote --exact --all --versions'],
  [
    'mvn -v, mvn -version, mvn --version, gradle -v, gradle --version, java -version, java --version, dotnet --info',
    '',
    0,
  ],
  ['dotnet --list-sdks, dotnet --list-runtimes, dotnet --version, eslint --version, eslint -v', '', 0],
  ['prettier --version, vitest --version, jest --version, composer --version, bundle --version, make --version', '', 0],
  ['dpkg -l, dpkg -L, dpkg -s, dpkg -S, dpkg --get-selections, dpkg --list, dpkg --status, dpkg --print-architecture'],
  ['apt list, apt show, apt search, apt policy', 'a --installed --upgradable --all-versions --names-only'],
  ['apt-cache policy, apt-cache show, apt-cache search, apt-cache depends, apt-cache rdepends, apt-cache madison', 'n'],
  ['rpm -q, rpm -qa, rpm -qi, rpm -ql, rpm -qf'],
  [
    'brew list, brew info, brew search, brew --version, brew --prefix, brew config, brew deps',
    '--versions --cask --json',
  ],
  ['conda list, conda info, conda env list', 'n:e --name= --envs --json'],
  ['pyenv versions, pyenv version', '', 0],
  ['nvm ls, nvm list, nvm current, nvm version, nvm which'],
  // Containers and clouds
  ['docker ps, podman ps, docker images, podman images, docker container ls, docker image ls', PS],
  ['docker volume ls, docker network ls, docker context ls, docker stats, docker search', `${PS} --no-stream`],
  ['docker logs, podman logs, docker container logs, docker compose logs, docker-compose logs', LOGS],
  ['docker buildx ls, docker context show, docker plugin ls, docker service ls, docker stack ls, docker node ls', PS],
  ['docker events', 'f: --since= --until= --filter= --format='],
  ['docker manifest inspect', 'v --verbose --insecure'],
  ['docker inspect, podman inspect, docker container inspect, docker image inspect', 'f:s --format= --size --type='],
  ['docker volume inspect, docker network inspect, docker version, docker info, podman version', 'f: --format='],
  ['podman info, docker port, docker top, docker diff, docker history, docker system df', 'f:vq --format= --no-trunc'],
  ['docker compose ps, docker-compose ps, docker compose ls, docker compose top, docker compose images', PS],
  [
    'docker compose version, docker compose port, docker-compose version, docker compose config',
    'q --services --quiet',
  ],
  ['kubectl get, kubectl describe, kubectl logs, kubectl version, kubectl explain, kubectl top, kubectl events', KUBE],
  ['kubectl config view, kubectl config get-contexts, kubectl config current-context, kubectl api-resources', KUBE],
  ['kubectl rollout status, kubectl rollout history, kubectl auth can-i, kubectl wait', KUBE],
  ['kubectl config get-clusters, kubectl config get-users', KUBE],
  ['kubectl cluster-info', '', 0],
  [
    'helm list, helm ls, helm status, helm history, helm version, helm get values, helm get manifest',
    'n:o:aA --namespace= --short --all-namespaces --output= --filter= --revision= --max=',
  ],
  [
    'helm search repo, helm search hub, helm show values, helm show chart, helm show readme',
    'lo: --version= --versions',
  ],
  ['helm repo list, helm env, helm dependency list', 'o: --output='],
  ['terraform version', '-json', 0],
  ['terraform fmt -check', '-diff -recursive'],
  ['aws sts get-caller-identity, aws configure list', '--profile= --region= --output= --query=', 0],
  ['aws s3 ls', '--profile= --region= --recursive --human-readable --summarize'],
  ['gcloud config list, gcloud config get-value, gcloud auth list, gcloud projects list', '--format= --project='],
  ['az account show, az account list, az group list', 'o: --output= --query='],
  // Forges
  ['gh pr view, gh pr list, gh pr diff, gh pr checks, gh pr status, gh issue view, gh issue list, gh issue status', GH],
  ['gh repo view, gh repo list, gh run list, gh run view, gh run watch, gh release list, gh release view', GH],
  ['gh workflow list, gh label list, gh gist list, gh gist view, gh search prs, gh search issues, gh search code', GH],
  ['gh workflow view, gh search repos, gh search commits, gh cache list, gh secret list, gh variable list', GH],
  ['gh variable get, gh project list, gh project view, gh ruleset list, gh ruleset view, gh org list, gh status', GH],
  ['gh ssh-key list, gh gpg-key list, gh alias list, gh config list, gh config get, gh extension list', GH],
  ['gh auth status', 'h: --hostname=', 0],
  // Without a field or a method it is a GET.
  ['gh api', 'iH:q:t:p: --include --header= --jq= --template= --paginate --slurp --cache= --hostname=', 1],
  ['glab mr list, glab mr view, glab mr diff, glab issue list, glab issue view, glab ci list, glab ci status', 'R:P:'],
  ['glab repo view, hub pr list, hub ci-status', '', 1],
  ['http GET, http HEAD', 'vhb', 1],
]

/** The form of a program and the words after it, by their text. */
export const READING_FORMS: ReadonlyMap<string, ReadingForm> = new Map(
  ROWS.flatMap(([names, form = '', operandsMax = Infinity]) =>
    names.split(', ').map((name): [string, ReadingForm] => [name, { form, operandsMax }]),
  ),
)
