// The probes of /test-supabase: what the server says of itself, the calls of the wire, the app's own log.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { log } from '#api/log.ts'
import { PortalError } from '#domain/errors.ts'
import { keys } from './keys.ts'

const seconds = v.nullable(v.number())
const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)

/** What an administrator sees inside. */
const Insides = v.object({
  webhook: v.object({
    waiting: v.number(),
    setAside: v.number(),
    oldestSeconds: seconds,
    /** None: of a portal that does not say so yet. */
    unknownKinds: v.optional(v.array(v.object({ name: v.string(), seen: v.number() })), []),
  }),
  links: v.object({ open: v.number(), dead: v.number() }),
  sending: v.object({ queued: v.number(), oldestSeconds: seconds }),
  /** Null: of a portal that does not say so yet. */
  webhooks: v.optional(v.nullable(v.object({ waiting: v.number(), stopped: v.number() })), null),
  campaigns: v.object({
    running: v.number(),
    paused: v.number(),
    scheduled: v.number(),
    waiting: v.number(),
  }),
  /** The model that writes for the agents; null where none is set. */
  model: v.optional(
    v.nullable(
      v.object({
        model: v.string(),
        /** Null while it is tried for the first time. */
        found: v.nullable(
          v.object({
            at: timeMs,
            answers: v.boolean(),
            tools: v.nullable(v.picklist(['used', 'ignored', 'refused'])),
            inputTokens: v.number(),
            outputTokens: v.number(),
            isEstimated: v.boolean(),
            seconds: v.number(),
            fault: v.nullable(v.string()),
            said: v.nullable(v.string()),
          }),
        ),
        /** Its last call had no answer. */
        failure: v.nullable(v.object({ at: timeMs, fault: v.string(), said: v.nullable(v.string()) })),
      }),
    ),
    null,
  ),
  push: v.object({ waiting: v.number(), oldestSeconds: seconds, devices: v.number() }),
  /** Of the embedded database; null where a server keeps the data. */
  backup: v.nullable(
    v.object({ lastAtMs: v.nullable(v.number()), sizeBytes: v.nullable(v.number()), isFailing: v.boolean() }),
  ),
  /** Empty: of a portal that does not say so yet. */
  workers: v.optional(
    v.array(v.object({ name: v.string(), state: v.string(), seconds: v.nullable(v.number()) })),
    [],
  ),
  damagedTables: v.optional(v.array(v.string()), []),
  versions: v.object({
    node: v.string(),
    database: v.string(),
    schema: v.string(),
    gateway: v.nullable(v.string()),
  }),
  upSeconds: v.number(),
})

const Health = v.object({
  status: v.picklist(['ok', 'degraded']),
  database: v.picklist(['ok', 'down']),
  /** What is wrong, in words of the server; missing while all is well. */
  faults: v.optional(v.array(v.string()), []),
  gateway: v.string(),
  version: v.string(),
})

export type Insides = v.InferOutput<typeof Insides>
export type Health = v.InferOutput<typeof Health> & { insides: Insides | null }

export function healthQuery() {
  return queryOptions({
    queryKey: keys.health(),
    queryFn: ({ signal }) => getHealth(signal),
    retry: false,
    gcTime: 0,
  })
}

/** A degraded portal answers 503 and still says what is wrong. */
async function getHealth(signal: AbortSignal): Promise<Health> {
  try {
    return toHealth(await portal('/api/health', { signal }))
  } catch (error) {
    const cause = error instanceof PortalError ? error.cause : null
    if (v.is(Health, cause)) return toHealth(cause)
    throw error
  }
}

function toHealth(answer: unknown): Health {
  const insides = v.safeParse(Insides, answer)
  return { ...v.parse(Health, answer), insides: insides.success ? insides.output : null }
}

/** What it finds is read with the rest of health. */
export function tryModel() {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await portal('/api/agents/model/trial', { method: 'POST', body: {} })
      await client.invalidateQueries({ queryKey: keys.health() })
    },
  })
}

export type Probe = {
  /** As the wire calls it. */
  name: string
  outcome: 'answered' | 'refused' | 'failed'
  tookMs: number
  /** What the server said against it. */
  reason: string | null
}

type Answer = { status: number; error: { message: string } | null }

/** By the whole client; what this session may not ask is refused, and that is an answer too. */
export function probesQuery() {
  return queryOptions({
    queryKey: keys.probes(),
    queryFn: async () => {
      const { wholeClient } = await import('#api/whole-client.ts')
      const client = wholeClient()
      // One after the other, so that each takes its own time.
      return [
        await probe('agent_prompts', () => client.from('agent_prompts').select('*').limit(1)),
        await probe('authenticate_admin', () =>
          client.rpc('authenticate_admin', { username_attempt: '', password_attempt: '' }),
        ),
        await probe('get_total_contatos_por_corretor', () => client.rpc('get_total_contatos_por_corretor')),
        await probe('listar_roletas_com_corretores', () => client.rpc('listar_roletas_com_corretores')),
      ]
    },
    retry: false,
    gcTime: 0,
  })
}

async function probe(name: string, ask: () => PromiseLike<Answer>): Promise<Probe> {
  const startMs = performance.now()
  const { status, error } = await ask()
  const tookMs = Math.round(performance.now() - startMs)
  // One that holds a hurried caller back has answered, too.
  if (!error || status === 429) return { name, outcome: 'answered', tookMs, reason: null }
  const isRefused = status === 401 || status === 403
  if (!isRefused) log.warn('probe.failed', `${name} ${status}`)
  return { name, outcome: isRefused ? 'refused' : 'failed', tookMs, reason: error.message }
}

/** The build of the app that runs here; null while it is worked on. */
export function appBuild(): string | null {
  const source = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  return /-([\w-]{8})\.js$/.exec(source)?.[1] ?? null
}

/** What the app wrote down since it was opened, newest first. */
export function recentLog() {
  return log.recent()
}
