// A whole portal with stopped workers, the callers of the row-rule tests as its clients, and a checksum of all its
// data.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { expect } from 'vitest'
import { createServiceTokens, GRANTS } from '#server/auth/tokens/service-tokens.ts'
import { createTokens } from '#server/auth/tokens/token.ts'
import type { Clock } from '#server/clock.ts'
import type { Claims } from '#server/db/as-user.ts'
import type { Database } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import { openTestDatabase } from './database.ts'
import { JWT_SECRET, openWhatsapp } from './whatsapp.ts'
import { signIn } from './make.ts'
import { makeScenario } from './schema/rules-scenario.ts'

export type Knock = { method: string; address: string; token?: string | undefined; body?: BodyInit | null }
export type AddressesScenario = Awaited<ReturnType<typeof openAddresses>>

export const METRICS_TOKEN = 'as metricas de um teste de portas'

/** A refused attempt is counted here, so a refusal changes these tables. */
const COUNTERS = ['portal.throttle']

export async function openAddresses() {
  const base = await openTestDatabase('migrated')
  const scenario = await makeScenario(base.db)
  const lines: string[] = []
  const portal = await openWhatsapp(base.db, {
    isStill: true,
    hasGateway: false,
    env: { METRICS_TOKEN },
    log: createLog('debug', (written) => lines.push(written)),
  })
  for (const { username } of [scenario.own, scenario.other]) await portal.setPassword(username)
  const strangers = await forge(base.db, portal.clock, scenario.claims)
  const tokens = {
    broker: await tokenOf(scenario.claims.broker),
    admin: await tokenOf(scenario.claims.admin),
    gerente: await tokenOf(scenario.claims.gerente),
    leader: await tokenOf(scenario.claims.leader),
    rival: await tokenOf(scenario.claims.rival),
  }

  /** Any request; every answer must have the security headers. */
  async function knock({ method, address, token, body }: Knock, headers: Record<string, string> = {}) {
    const response = await portal.request(address, {
      method,
      body: body ?? null,
      headers: {
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      // Node's fetch requires it for streamed bodies.
      ...({ duplex: 'half' } as RequestInit),
    })
    expectGuarded(response, address)
    return response
  }

  return {
    ...base,
    /** The log lines. */
    lines,
    scenario,
    portal,
    knock,
    tokens,
    /** Invalid bearer tokens, by their fault. */
    strangers,
    sum: () => sumOf(base.db),
    close: async () => {
      await portal.close()
      await base.close()
    },
  }
}

/** A checksum of the rows of each table. */
async function sumOf(db: Database): Promise<Record<string, string>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'portal', 'auth') order by 1`,
  )
  const wanted = tables.map(({ name }) => name).filter((name) => !COUNTERS.includes(name))
  const { rows } = await db.query<{ name: string; sum: string }>(
    wanted
      .map(
        (name) =>
          `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${name} t`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

/** Headers that every answer must have, above all refusals. */
function expectGuarded(response: Response, address: string) {
  const { headers } = response
  const seen = {
    policy: headers.get('content-security-policy')?.includes("default-src 'none'; frame-ancestors 'none'"),
    sniffing: headers.get('x-content-type-options'),
    cookies: headers.get('set-cookie'),
    shared: headers.get('access-control-allow-origin'),
    hasId: headers.has('x-request-id'),
  }
  const isData = /^(application\/json|text\/csv)/.test(headers.get('content-type') ?? '')
  expect([address, seen]).toEqual([
    address,
    { policy: isData, sniffing: 'nosniff', cookies: null, shared: null, hasId: true },
  ])
  const cacheable = /no-store|private/.test(headers.get('cache-control') ?? '')
  expect([address, cacheable]).toEqual([address, true])
}

const bytes = (secret: string) => new TextEncoder().encode(secret)
const dressed = (claims: Claims, seconds = 3600) => ({
  ...claims,
  iss: 'portal-do-corretor',
  aud: 'authenticated',
  exp: Math.floor(Date.now() / 1000) + seconds,
})
const tokenOf = (claims: Claims, { secret = JWT_SECRET, alg = 'HS256', seconds = 3600 } = {}) =>
  new SignJWT(dressed(claims, seconds)).setProtectedHeader({ alg }).sign(bytes(secret))

async function forge(
  db: Database,
  clock: Clock,
  claims: Record<'admin' | 'broker' | 'ended' | 'removed' | 'forged' | 'borrowed', Claims>,
): Promise<Record<string, string | undefined>> {
  const { admin } = claims
  const good = await tokenOf(admin)
  const [head, , signature] = good.split('.')
  const raised = { ...claims.broker, app_metadata: { portal_role: 'admin' } }
  const services = createServiceTokens({ db, clock, tokens: createTokens(JWT_SECRET, clock) })
  const { token: service } = await services.mint({ name: 'n8n', grants: GRANTS, days: 30 })
  return {
    nobody: undefined,
    'an empty bearer': '',
    'no signature': new UnsecuredJWT(dressed(admin)).encode(),
    'a signature cut off': `${good.split('.').slice(0, 2).join('.')}.`,
    'another secret': await tokenOf(admin, { secret: 'another secret, thirty-two characters or more' }),
    'another algorithm': await tokenOf(admin, { alg: 'HS512' }),
    'a public key for the secret': confused(admin),
    'an hour that is over': await tokenOf(admin, { seconds: -3600 }),
    'claims put in afterwards': `${head}.${encode(dressed(raised))}.${signature}`,
    'the role of the server': await tokenOf({ ...admin, role: 'service_role' }),
    'a session that ended': await tokenOf(claims.ended),
    'a broker who was removed': await tokenOf(claims.removed),
    'a session that never was': await tokenOf(claims.forged),
    'a session of another': await tokenOf(claims.borrowed),
    'a service': service,
    'a first step without the second': await tokenOf(await halfway(db)),
  }
}

/** A session of an administrator with an authenticator app that has not shown its code yet. */
async function halfway(db: Database): Promise<Claims> {
  const { rows } = await db.query<{ id: string }>(
    `insert into portal.accounts (role, username) values ('admin', 'meio.caminho') returning id`,
  )
  const id = rows[0]?.id ?? ''
  await db.query(
    `insert into portal.factors (account_id, friendly_name, secret, verified_at, created_at)
    values ($1, 'Celular', '\\x00', now(), now())`,
    [id],
  )
  return signIn(db, { id })
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A token that claims RS256 but is signed by HMAC with a public key. */
function confused(claims: Claims): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const body = `${encode({ alg: 'RS256' })}.${encode(dressed(claims))}`
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  return `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`
}
