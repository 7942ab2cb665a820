// The forms of secrets: a new form is a row.

/** A form in which a secret occurs in daily work. `command` is a command line with it, `text` anything else with it. */
export type SecretForm = {
  readonly form: string
  readonly command: (secret: string) => string
  readonly text: (secret: string) => string
}

type Write = (secret: string) => string

/** A form that is a command line; as text it is what a shell shows of it. */
function command(form: string, write: Write): SecretForm {
  return { form, command: write, text: it => `+ ${write(it)}` }
}

/** A form of text, which a command line has in an argument. */
function text(form: string, write: Write): SecretForm {
  return { form, text: write, command: it => `./deploy.sh ${shellWord(write(it))}` }
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

const base64 = (it: string) => Buffer.from(it).toString('base64')
const percent = (it: string) => it.replace(/./g, letter => `%${letter.charCodeAt(0).toString(16)}`)

/** The forms of secrets. */
export const SECRET_FORMS: readonly SecretForm[] = [
  text('a token of GitHub', it => `ghp_${it}`),
  text('a key of a model', it => `sk-live-${it}`),
  text('a key of a cloud', it => `AKIA${it.toUpperCase()}`),
  text('a token of a chat', it => `xoxb-1234-${it}`),
  text('a JSON web token', it => `eyJhbGciOiJIUzI1NiJ9.${base64(`{"sub":"${it}"}`)}.${it}`),
  command('a URL with a password', it => `git clone https://ada:${it}@git.example.org/shop.git ../shop`),
  command('the address of Postgres', it => `psql postgres://admin:${it}@db.internal/app -c 'select 1'`),
  command('the address of Redis', it => `redis-cli -u redis://:${it}@cache.internal:6379 ping`),
  command('the address of MongoDB', it => `mongosh "mongodb+srv://app:${it}@cluster0.example.net/app"`),
  command('a header with a bearer', it => `curl -H "Authorization: Bearer ${it}" https://api.example.org/deploy`),
  command('a header with a basic password', it => `curl -H 'Authorization: Basic ${base64(`ada:${it}`)}' example.org`),
  text('a cookie', it => `Cookie: session=${it}; Path=/`),
  text('a header with a key', it => `X-Api-Key: ${it}`),
  command('an assignment before a command', it => `DB_PASSWORD=${it} API_URL=x node migrate.js`),
  command('an assignment for env', it => `env -u HOME TOKEN=${it} node migrate.js`),
  command('an export', it => `export STRIPE_KEY="${it}" && node migrate.js`),
  command('an option with its value', it => `./deploy.sh --token=${it} --region eu`),
  command('an option before its value', it => `./deploy.sh --password ${it} --region eu`),
  command('a short option with its value', it => `mysql -uroot -p${it} shop`),
  command('a user with a password', it => `curl -u deploy:${it} ftp://files.example.org/`),
  command('a word in its place', it => `./login.sh ada ${it}`),
  command('a here-document', it => `node configure.js <<END\npassword=${it}\nEND`),
  command('a here-string', it => `node configure.js <<<"${it}"`),
  command('a quoted JSON body', it => `curl -d '{"user":"ada","password":"${it}"}' https://api.example.org/login`),
  text('a line of .env', it => `DATABASE_PASSWORD="${it}"`),
  text('JSON', it => `{\n  "credentials": { "secret": "${it}" }\n}`),
  text('YAML', it => `db:\n  password: ${it}\n`),
  text('a private key', it => `-----BEGIN PRIVATE KEY-----\n${base64(it)}\n${it}\n-----END PRIVATE KEY-----`),
  text(
    'a stack trace',
    it => `TypeError: bad token ${it}\n    at login (src/auth.ts:12:3)\n    at main (src/a.ts:1:1)`,
  ),
  text('an assertion', it => `AssertionError: expected '${it}' to equal 'x'\n- Expected: x\n+ Received: ${it}`),
  text(
    'an error of a compiler',
    it => `src/a.ts(3,7): error TS2322: Type '"${it}"' is not assignable to type 'number'.`,
  ),
  text('an error of a linter', it => `src/a.ts:3:7: error: Unexpected string "${it}"  no-secrets`),
  command('the name of a file', it => `cat /home/ada/${it}/key.pem`),
  command('a path from home', it => `node read.js ~/.keys/${it}.pem`),
  text('base64', it => base64(`password is ${it}`)),
  text('hexadecimal digits', it => Buffer.from(it).toString('hex')),
  text(
    'the middle of a long output',
    it => `${'ok line\n'.repeat(9)}error: token ${it} was refused\n${'done\n'.repeat(3)}`,
  ),
  text('percent-encoding', it => `https://example.org/?next=${percent(it)}`),
  text('colours in between', it => `error: token \u001b[31m${it.slice(0, 9)}\u001b[1m${it.slice(9)}\u001b[0m`),
  text('the name of a program', it => `/opt/${it}/bin/run: error: not found`),
  command('a program in a secret folder', it => `/srv/${it}/bin/deploy --all`),
  command('a substitution', it => `./deploy.sh "$(echo ${it} | rev)"`),
  command('a remark', it => `./deploy.sh # the token is ${it}`),
  command('a message of a commit', it => `git commit --allow-empty -m 'use token ${it}'`),
  text('a message with a field', it => `FAIL src/a.test.ts > logs in with ${it}`),
]
