// Combines the variables of env.ts into the settings of the parts: read once, and checked against each other.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import type { LogLevel } from '#server/log.ts'
import type { BucketSettings } from '#server/storage/bucket/sending.ts'
import { VARIABLES } from './env.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type GatewayAddress = { url: string; apiKey: string }

export type Settings = {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** A direct address of the same database for LISTEN, if `databaseUrl` is a pooler's. */
  databaseSessionUrl: string | undefined
  databaseReplicaUrl: string | undefined
  /** The object store for media. Undefined: media are in a folder in DATA_DIR, or in the database of `databaseUrl`. */
  bucket: BucketSettings | undefined
  /** The Supabase project that answers /rest/v1; undefined: the portal's own REST layer. */
  supabase: { url: string; anonKey: string } | undefined
  jwtSecret: string | undefined
  restSchemas: readonly string[]
  restTxRollback: boolean
  publicUrl: string | undefined
  evolution: GatewayAddress | undefined
  waha: GatewayAddress | undefined
  webhookBaseUrl: string | undefined
  /** Hosts that may receive events although they are private or without TLS. */
  webhookPrivateHosts: readonly string[]
  /** Meta's Graph API, for conversions. */
  metaGraphUrl: string
  adminUsername: string
  adminPassword: string | undefined
  firstAccess: 'open' | 'invite'
  campaignDelayMs: { min: number; max: number }
  demoDelayMs: { min: number; max: number }
  vapidSubject: string | undefined
  timeZone: string
  /** Where agents store their memory; undefined: in the portal's own table. */
  agentsBackend: { url: string; key: string } | undefined
  /** The agents' language model; undefined: scripted rules in the demonstration, otherwise none. */
  agentModel:
    { url: string; key: string | undefined; model: string; transcribeModel: string | undefined } | undefined
  isDemo: boolean
  drainMs: number
  logLevel: LogLevel
  /** Undefined: /metrics answers 404. */
  metricsToken: string | undefined
  keeps: {
    /** Number of days for which backups of the embedded database are kept. */
    backups: number
    rawDays: number
    auditDays: number
  }
}

type Variables = typeof VARIABLES
type Name = keyof Variables
type Parsed = {
  [N in Name]:
    v.InferOutput<Variables[N]['schema']> | (Variables[N] extends { fallback: string } ? never : undefined)
}

const DEMO_ADMIN = { username: 'admin', password: 'demo-admin' }
const LOOPBACK = ['127.0.0.1', '::1', 'localhost']

/**
 * Reads all settings, or raises `settings.invalid` with every fault, one per line. An empty variable counts as unset.
 */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = []
  const parsed = parseAll(environment, faults)
  const host = parsed.HOST ?? (parsed.PUBLIC_URL ? '0.0.0.0' : '127.0.0.1')
  const isLoopback = LOOPBACK.includes(host)
  const isDemo =
    parsed.DEMO ??
    !(
      parsed.DATABASE_URL ||
      parsed.EVOLUTION_URL ||
      parsed.WAHA_URL ||
      parsed.PUBLIC_URL ||
      parsed.S3_ENDPOINT
    )

  if (isDemo && parsed.PUBLIC_URL) faults.push('DEMO=1 não combina com PUBLIC_URL')
  if (isDemo && parsed.DATABASE_URL) faults.push('DEMO=1 não combina com DATABASE_URL')
  if (isDemo && parsed.S3_ENDPOINT) faults.push('DEMO=1 não combina com S3_ENDPOINT')
  if (isDemo && !isLoopback) faults.push('DEMO=1 só pode escutar em 127.0.0.1')
  for (const [name, needed] of PAIRS)
    if (parsed[name] !== undefined && parsed[needed] === undefined)
      faults.push(`${name} precisa de ${needed}`)
  const s3 = S3.filter((name) => !environment[name])
  if (s3.length > 0 && s3.length < S3.length)
    faults.push(`S3_ENDPOINT e as outras vão juntas; falta ${s3.join(', ')}`)
  if (faults.length > 0) throw new PortalError('settings.invalid', faults.join('\n'))

  return {
    port: parsed.PORT,
    host,
    dataDir: parsed.DATA_DIR,
    databaseUrl: parsed.DATABASE_URL,
    databaseSessionUrl: parsed.DATABASE_SESSION_URL,
    databaseReplicaUrl: parsed.DATABASE_REPLICA_URL,
    bucket: bucketOf(parsed),
    supabase:
      parsed.SUPABASE_URL && parsed.SUPABASE_ANON_KEY
        ? { url: parsed.SUPABASE_URL, anonKey: parsed.SUPABASE_ANON_KEY }
        : undefined,
    jwtSecret: parsed.JWT_SECRET,
    restSchemas: parsed.REST_SCHEMAS.split(','),
    restTxRollback: parsed.REST_TX_ROLLBACK,
    publicUrl: parsed.PUBLIC_URL,
    evolution: gatewayAt(parsed.EVOLUTION_URL, parsed.EVOLUTION_API_KEY),
    waha: gatewayAt(parsed.WAHA_URL, parsed.WAHA_API_KEY),
    webhookBaseUrl: parsed.WEBHOOK_BASE_URL ?? parsed.PUBLIC_URL,
    webhookPrivateHosts: parsed.WEBHOOK_PRIVATE_HOSTS?.split(',') ?? [],
    metaGraphUrl: parsed.META_GRAPH_URL,
    adminUsername: isDemo ? DEMO_ADMIN.username : parsed.ADMIN_USERNAME,
    adminPassword: isDemo ? DEMO_ADMIN.password : parsed.ADMIN_PASSWORD,
    firstAccess: parsed.FIRST_ACCESS ?? (isLoopback ? 'open' : 'invite'),
    campaignDelayMs: parsed.CAMPAIGN_DELAY_MS,
    demoDelayMs: parsed.DEMO_DELAY_MS,
    vapidSubject: parsed.VAPID_SUBJECT,
    timeZone: parsed.PORTAL_TIME_ZONE,
    agentsBackend:
      parsed.AGENTS_SUPABASE_URL && parsed.AGENTS_SUPABASE_KEY
        ? { url: parsed.AGENTS_SUPABASE_URL, key: parsed.AGENTS_SUPABASE_KEY }
        : undefined,
    agentModel:
      parsed.AGENT_API_URL && parsed.AGENT_MODEL
        ? {
            url: parsed.AGENT_API_URL,
            key: parsed.AGENT_API_KEY,
            model: parsed.AGENT_MODEL,
            transcribeModel: parsed.AGENT_TRANSCRIBE_MODEL,
          }
        : undefined,
    isDemo,
    drainMs: parsed.DRAIN_MS,
    logLevel: parsed.LOG_LEVEL,
    metricsToken: parsed.METRICS_TOKEN,
    keeps: {
      backups: parsed.KEEP_BACKUPS,
      rawDays: parsed.KEEP_RAW_DAYS,
      auditDays: parsed.KEEP_AUDIT_DAYS,
    },
  }
}

const S3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

function bucketOf(parsed: Parsed): BucketSettings | undefined {
  const [endpoint, bucket, region, accessKeyId, secretAccessKey] = S3.map((name) => parsed[name])
  return endpoint && bucket && region && accessKeyId && secretAccessKey
    ? { endpoint, bucket, region, accessKeyId, secretAccessKey }
    : undefined
}

const gatewayAt = (url: string | undefined, apiKey: string | undefined): GatewayAddress | undefined =>
  url && apiKey ? { url, apiKey } : undefined

const PAIRS: readonly (readonly [Name, Name])[] = [
  ['DATABASE_SESSION_URL', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
  ['SUPABASE_URL', 'SUPABASE_ANON_KEY'],
  ['SUPABASE_URL', 'DATABASE_URL'],
  ['SUPABASE_URL', 'JWT_SECRET'],
  ['EVOLUTION_URL', 'EVOLUTION_API_KEY'],
  ['WAHA_URL', 'WAHA_API_KEY'],
  ['AGENTS_SUPABASE_URL', 'AGENTS_SUPABASE_KEY'],
  ['AGENT_API_URL', 'AGENT_MODEL'],
  ['AGENT_API_KEY', 'AGENT_API_URL'],
  ['AGENT_TRANSCRIBE_MODEL', 'AGENT_API_URL'],
]

function parseAll(environment: Environment, faults: string[]): Parsed {
  const parsed: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const given = environment[name] || ('fallback' in variable ? variable.fallback : undefined)
    if (given === undefined) continue
    const result = v.safeParse(variable.schema, given)
    if (result.success) parsed[name] = result.output
    else faults.push(`${name}: ${result.issues[0].message}`)
  }
  // The cast is safe: each value has passed its schema, and any fault has thrown by now.
  return parsed as Parsed
}
