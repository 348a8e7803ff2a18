// The probes of the diagnostics page, /test-supabase: the server's health, calls to the REST endpoint, the app's log.
import { mutationOptions, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { portal } from '#api/client.ts'
import { log } from '#api/log.ts'
import { PortalError } from '#domain/errors.ts'
import { readDevice } from '#offline/database.ts'
import { currentOwner } from '#offline/owner.ts'
import { keys } from './keys.ts'

const seconds = v.nullable(v.number())
const timeMs = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
)

/** Details that only administrators get. */
const Insides = v.object({
  webhook: v.object({
    waiting: v.number(),
    setAside: v.number(),
    oldestSeconds: seconds,
    /** Empty if an older portal answers, which does not report it. */
    unknownKinds: v.optional(v.array(v.object({ name: v.string(), seen: v.number() })), []),
  }),
  links: v.object({ open: v.number(), dead: v.number() }),
  sending: v.object({ queued: v.number(), oldestSeconds: seconds }),
  /** Null if an older portal answers, which does not report it. */
  webhooks: v.optional(v.nullable(v.object({ waiting: v.number(), stopped: v.number() })), null),
  campaigns: v.object({
    running: v.number(),
    paused: v.number(),
    scheduled: v.number(),
    waiting: v.number(),
  }),
  /** The agents' language model; null if no administrator has chosen one. */
  model: v.optional(
    v.nullable(
      v.object({
        model: v.string(),
        /** The result of the last test; null until one has finished. */
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
        /** The last call that failed; null once a call succeeds. */
        failure: v.nullable(v.object({ at: timeMs, fault: v.string(), said: v.nullable(v.string()) })),
      }),
    ),
    null,
  ),
  push: v.object({ waiting: v.number(), oldestSeconds: seconds, devices: v.number() }),
  /** The backup of the embedded database; null if a database server stores the data. */
  backup: v.nullable(
    v.object({ lastAtMs: v.nullable(v.number()), sizeBytes: v.nullable(v.number()), isFailing: v.boolean() }),
  ),
  /** Empty if an older portal answers, which does not report it. */
  workers: v.optional(
    v.array(v.object({ name: v.string(), state: v.string(), seconds: v.nullable(v.number()) })),
    [],
  ),
  damagedTables: v.optional(v.array(v.string()), []),
  /** Empty if an older portal answers. */
  gateways: v.optional(v.array(v.object({ title: v.string(), health: v.string() })), []),
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
  /** What is wrong, in the server's words. Missing while nothing is. */
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
    // Without a network the query must fail at once; by default it would wait for one.
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  })
}

/** Reads when this device last read the broker's board; null if it has not. */
export function boardTimeQuery(instanceName: string | null) {
  return queryOptions({
    queryKey: keys.boardTime(instanceName),
    queryFn: async () => {
      const owner = currentOwner()
      if (owner === null || instanceName === null) return null
      return (await readDevice((db) => db.get('boards', [owner, instanceName])))?.pulledAtMs ?? null
    },
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  })
}

/** A degraded portal answers 503 with the same body, which tells what is wrong. */
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

/** Tests the language model and refetches the health, which contains the result. */
export function tryModel() {
  return mutationOptions({
    mutationFn: async (_: void, { client }) => {
      await portal('/api/agents/model/trial', { method: 'POST', body: {} })
      await client.invalidateQueries({ queryKey: keys.health() })
    },
  })
}

export type Probe = {
  /** The call's name in the API. */
  name: string
  outcome: 'answered' | 'refused' | 'failed'
  tookMs: number
  /** The server's reason; null if the call succeeded. */
  reason: string | null
}

type Answer = { status: number; error: { message: string } | null }

/**
 * Makes calls through the full supabase-js client. A refused call counts as answered, because this session may not make
 * all of them.
 */
export function probesQuery() {
  return queryOptions({
    queryKey: keys.probes(),
    queryFn: async () => {
      const { wholeClient } = await import('#api/whole-client.ts')
      const client = wholeClient()
      // One after another, so that no call's duration includes another's.
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
  // A 429 proves that the server works.
  if (!error || status === 429) return { name, outcome: 'answered', tookMs, reason: null }
  const isRefused = status === 401 || status === 403
  if (!isRefused) log.warn('probe.failed', `${name} ${status}`)
  return { name, outcome: isRefused ? 'refused' : 'failed', tookMs, reason: error.message }
}

/** Returns the build of the app; null in development. */
export function appBuild(): string | null {
  const source = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  return /-([\w-]{7})\.js$/.exec(source)?.[1] ?? null
}

/** The app's log since it was opened, newest first. */
export function recentLog() {
  return log.recent()
}
