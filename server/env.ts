// Every environment variable of the portal: meaning, validation, default. docs/configuration.md is printed from here.
import * as v from 'valibot'
import { USERNAME } from '#domain/session.ts'
import {
  address,
  delays,
  flag,
  isTimeZone,
  postgresAddress,
  replicaAddress,
  text,
  wholeNumber,
} from './env-checks.ts'

/**
 * In the order of docs/configuration.md. `fallback` is the default as text; `shown` describes a default that depends on
 * other variables.
 */
export const VARIABLES = {
  PORT: {
    doc: 'where the portal listens',
    schema: v.pipe(
      text(/^\d+$/, 'deve ser um número'),
      v.transform(Number),
      v.maxValue(65_535, 'deve ser no máximo 65535'),
    ),
    fallback: '8080',
  },
  HOST: {
    doc: 'address it listens on',
    schema: text(/^[\w.:-]+$/, 'não é um endereço'),
    shown: '127.0.0.1, or 0.0.0.0 once `PUBLIC_URL` is set',
  },
  DATA_DIR: { doc: 'embedded database, keys, media, backups', schema: v.string(), fallback: './data' },
  DATABASE_URL: {
    doc: 'use this Postgres instead of the embedded one; several servers as in `postgres://user:password@h1:5432,h2:5432/portal`: the one that takes writes is used',
    schema: postgresAddress,
    secret: true,
  },
  DATABASE_SESSION_URL: {
    doc: 'a session connection to the same Postgres, where `DATABASE_URL` is a pooler in transaction mode: live events are heard over it',
    schema: postgresAddress,
    shown: '`DATABASE_URL`',
    secret: true,
  },
  DATABASE_REPLICA_URL: {
    doc: 'a read replica of `DATABASE_URL`, without a pooler in transaction mode: dashboards, reports, exports, long lists and reads of the API go there while it is less than 10 s behind',
    schema: replicaAddress,
    secret: true,
  },
  S3_ENDPOINT: {
    doc: 'keep media in a bucket of this S3 (AWS, R2, MinIO, Supabase Storage, Ceph, Swift) instead of `DATA_DIR` or the database; the five variables `S3_…` go together',
    schema: address,
    shown: 'media in `DATA_DIR`, or in `DATABASE_URL`',
  },
  S3_BUCKET: {
    doc: 'the bucket, of this portal alone, private and without versions',
    schema: text(/^[\w.-]{3,255}$/, 'não é o nome de um bucket'),
  },
  S3_REGION: {
    doc: 'the region of the bucket, as the store names it (`us-east-1`, `auto`)',
    schema: text(/^[\w-]{1,100}$/, 'não é o nome de uma região'),
  },
  S3_ACCESS_KEY_ID: {
    doc: 'a key that may list the bucket, and read, write and delete its objects',
    schema: text(/^\S+$/, 'não é uma chave'),
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: {
    doc: 'the secret of that key',
    schema: text(/^\S+$/, 'não é um segredo'),
    secret: true,
  },
  SUPABASE_URL: {
    doc: 'pass `/rest/v1` on to this Supabase (with `DATABASE_URL` and its `JWT_SECRET`)',
    schema: address,
    shown: 'own REST layer',
  },
  SUPABASE_ANON_KEY: { doc: 'the anon key of that Supabase', schema: v.string(), secret: true },
  JWT_SECRET: {
    doc: 'HS256 secret, 32 characters or more',
    schema: v.pipe(v.string(), v.minLength(32, 'deve ter 32 caracteres ou mais')),
    shown: 'made on first start, kept in `DATA_DIR`',
    secret: true,
  },
  REST_SCHEMAS: {
    doc: 'schemas that `/rest/v1` exposes, by comma',
    schema: text(/^\w+(,\w+)*$/, 'deve ser uma lista de nomes separados por vírgula'),
    fallback: 'public',
  },
  REST_TX_ROLLBACK: {
    doc: '`1` lets clients of `/rest/v1` ask for `tx=rollback`',
    schema: flag,
    fallback: '0',
  },
  PUBLIC_URL: { doc: "address the world sees; also the webhook's base", schema: address },
  ADMIN_USERNAME: {
    doc: 'first administrator, used on first start only',
    schema: text(USERNAME, 'use letras minúsculas, números, ponto, hífen'),
    fallback: 'admin',
  },
  ADMIN_PASSWORD: {
    doc: "the first administrator's password, used on first start only",
    schema: v.pipe(v.string(), v.minLength(8, 'deve ter 8 caracteres ou mais')),
    shown: 'made and printed',
    secret: true,
  },
  EVOLUTION_URL: {
    doc: 'the WhatsApp gateway, an Evolution API',
    schema: address,
    shown: "the simulator in demo mode, else none ('WhatsApp não configurado')",
  },
  EVOLUTION_API_KEY: { doc: "the gateway's global key", schema: v.string(), secret: true },
  WAHA_URL: {
    doc: 'the WhatsApp gateway, a WAHA with the NOWEB engine; with both, an administrator chooses which one new connections use',
    schema: address,
    shown: 'none',
  },
  WAHA_API_KEY: { doc: 'its `WAHA_API_KEY`', schema: v.string(), secret: true },
  WEBHOOK_BASE_URL: {
    doc: 'how the gateway reaches the portal',
    schema: address,
    shown: '`PUBLIC_URL`, else `http://HOST:PORT`',
  },
  WEBHOOK_PRIVATE_HOSTS: {
    doc: 'hosts of the own network that may be notified of events, asked for mails (IMAP) or for the feed, also without TLS, separated by commas; all others are public addresses over TLS',
    schema: text(/^[a-z0-9.:[\]-]+(,[a-z0-9.:[\]-]+)*$/, 'deve ser uma lista de hosts separados por vírgula'),
  },
  META_GRAPH_URL: {
    doc: "Meta's Graph API, to which conversions are sent once an administrator turns them on",
    schema: address,
    fallback: 'https://graph.facebook.com/v26.0',
  },
  FIRST_ACCESS: {
    doc: '`open`: a first password can be set for 24 h after a broker is added or reset; `invite`: only with the one-time link that the administrator copies',
    schema: v.picklist(['open', 'invite'], 'deve ser open ou invite'),
    shown: '`open` while listening on loopback only, else `invite`',
  },
  CAMPAIGN_DELAY_MS: {
    doc: 'random half of the gap between campaign messages, `min-max`; a gap adds two of them',
    schema: delays,
    fallback: '10000-20000',
  },
  PORTAL_TIME_ZONE: {
    doc: "the day's borders",
    schema: v.pipe(v.string(), v.check(isTimeZone, 'não é um fuso horário')),
    fallback: 'America/Sao_Paulo',
  },
  DEMO: {
    doc: '`1`: an own embedded database in `DATA_DIR/demo`, filled with made-up people; refused together with `PUBLIC_URL`, `DATABASE_URL`, `S3_ENDPOINT` or a `HOST` that is not loopback',
    schema: flag,
    shown:
      '`1` when none of `DATABASE_URL`, `EVOLUTION_URL`, `WAHA_URL`, `PUBLIC_URL`, `S3_ENDPOINT` is set, else `0`',
  },
  DEMO_DELAY_MS: {
    doc: 'random gap between the people of the demonstration who write unasked, `min-max`',
    schema: delays,
    fallback: '20000-70000',
  },
  AGENTS_SUPABASE_URL: {
    doc: "the agents' own backend, whose chat history can be deleted",
    schema: address,
    shown: 'our own table',
  },
  AGENTS_SUPABASE_KEY: { doc: 'the key of that backend', schema: v.string(), secret: true },
  AGENT_API_URL: {
    doc: "the model that writes for the agents: any chat endpoint that speaks as OpenAI's does, up to `/v1` (OpenAI, OpenRouter, vLLM, Ollama, LM Studio)",
    schema: address,
    shown: "rules that answer in demo mode, else none ('Sem motor')",
  },
  AGENT_API_KEY: {
    doc: 'the key of that endpoint; none where it asks for none',
    schema: v.string(),
    secret: true,
  },
  AGENT_MODEL: {
    doc: 'the name of the model there',
    schema: text(/^\S{1,200}$/, 'não é o nome de um modelo'),
  },
  AGENT_TRANSCRIBE_MODEL: {
    doc: 'the name of the model there that writes down voice messages (`/audio/transcriptions`); none: they are only heard',
    schema: text(/^\S{1,200}$/, 'não é o nome de um modelo'),
  },
  VAPID_SUBJECT: {
    doc: 'contact for push services',
    schema: text(/^(https:\/\/|mailto:)/, 'deve começar com https:// ou mailto:'),
    shown: '`PUBLIC_URL`',
  },
  DRAIN_MS: {
    doc: 'how long a portal that is asked to stop goes on while `/api/health` already answers 503, so that a balancer turns to another one first',
    schema: v.pipe(
      text(/^\d{1,6}$/, 'deve ser um tempo em milissegundos, até 60000'),
      v.transform(Number),
      v.maxValue(60_000, 'deve ser no máximo 60000'),
    ),
    fallback: '0',
  },
  LOG_LEVEL: {
    doc: '`debug`, `info`, `warn`, `error`',
    schema: v.picklist(['debug', 'info', 'warn', 'error'], 'deve ser debug, info, warn ou error'),
    fallback: 'info',
  },
  METRICS_TOKEN: {
    doc: 'opens `/metrics` to a Prometheus that sends it as `Authorization: Bearer …`; 24 characters or more',
    schema: v.pipe(v.string(), v.minLength(24, 'deve ter 24 caracteres ou mais')),
    shown: 'no `/metrics`',
    secret: true,
  },
  KEEP_BACKUPS: {
    doc: 'daily backups of the embedded database that stay in `DATA_DIR/backups`',
    schema: wholeNumber(1, 999),
    fallback: '7',
  },
  KEEP_RAW_DAYS: {
    doc: "days that words of others stay as they came: the gateway's and Meta's deliveries that were set aside or wait in vain, what is kept beside messages, rows of imports, and bodies and e-mails of sources, read or not (of each source the newest 20,000 read ones, 32 MiB at most); messages and leads themselves stay",
    schema: wholeNumber(1, 3_650),
    fallback: '30',
  },
  KEEP_AUDIT_DAYS: {
    doc: 'days that entries of the audit log stay, a year or more',
    schema: wholeNumber(365, 36_500),
    fallback: '1825',
  },
} satisfies Record<
  string,
  { doc: string; schema: v.GenericSchema<string, unknown>; fallback?: string; shown?: string; secret?: true }
>
