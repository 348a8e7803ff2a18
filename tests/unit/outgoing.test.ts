// The portal calls hosts set by its operator, one of Meta's, and push services. It follows no redirect, which would
// pass on a key or reach the local machine (docs/ameacas.md).
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createEngine } from '#server/agents/engine/engine.ts'
import { createAgentsBackend } from '#server/agents/backend.ts'
import { createEvolutionGateway } from '#server/whatsapp/gateway/evolution/client.ts'
import { createGraph } from '#server/leads/intake/meta/graph.ts'
import { createUpstream } from '#server/rest/upstream.ts'
import type { Database } from '#server/db/database.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { serve } from '#tests/support/serve.ts'

let reached = 0
/** Only this machine can reach it. */
const inside = await serve((_, response) => {
  reached++
  response.end('{}')
})
let status = 302
let asked = 0
/** A server that redirects every request. */
const redirecting = await serve((_, response) => {
  asked++
  response.writeHead(status, { location: `${inside.url}latest/meta-data` }).end()
})
const elsewhere = redirecting.url
afterAll(inside.close)
afterAll(redirecting.close)

const clock = manualClock()
const log = silentLog
const gateway = () => createEvolutionGateway({ baseUrl: elsewhere, apiKey: 'chave', clock, log })
const upstream = () =>
  createUpstream({
    supabase: { url: elsewhere, anonKey: 'sb_publishable_1' },
    db: {} as Database,
    clock,
    log,
    bodyLimitBytes: 100,
    principalOf: () => Promise.resolve({ role: 'anon', claims: {} }),
  })

/** Each must fail, or report a failure. */
const calls: Record<string, () => Promise<unknown>> = {
  "the gateway's version": () => gateway().version(),
  "the gateway's media": () => gateway().fetchMedia('corretor_ana', 'A1'),
  'a text by the gateway': () =>
    gateway().sendText('corretor_ana', { number: '5511955500142', text: 'Oi', delayMs: 0 }),
  "the agents' backend": () =>
    createAgentsBackend({ url: elsewhere, key: 'chave' }, { clock, log }).forget(1, 'x'),
  'the model': () =>
    createEngine({ url: elsewhere, key: 'chave', model: 'm', clock, log }).complete({
      messages: [],
      tools: [],
    }),
  'Meta, were it to say so': () => createGraph((_, init) => fetch(elsewhere, init))('1', 'token'),
  'the Supabase of /rest/v1': async () => {
    const { status: said } = await upstream().fetch(new Request('http://portal.test/rest/v1/brokers'))
    throw new Error(`answered ${said}`)
  },
}

test.each(Object.keys(calls))('%s follows no redirect', async (name) => {
  for (status of [301, 302, 303, 307, 308]) {
    const before = asked
    await expect(calls[name]?.()).rejects.toThrow(Error)
    expect(asked).toBeGreaterThan(before)
  }
  expect(reached).toBe(0)
})

/**
 * The server's files with outgoing calls, and their targets. The simulator and the demonstration call the portal
 * itself.
 */
const CALLERS = [
  // EVOLUTION_URL.
  'whatsapp/gateway/http.ts',
  // AGENTS_SUPABASE_URL.
  'agents/backend.ts',
  // AGENT_API_URL: tests/unit/agent-engine.test.ts.
  'agents/engine/endpoint.ts',
  // The mail server of a mailbox: tests/integration/leads/deep/mailbox.test.ts.
  'leads/intake/mailbox/round.ts',
  // graph.facebook.com.
  'leads/intake/meta/graph.ts',
  // SUPABASE_URL.
  'rest/upstream.ts',
  // Addresses set by browsers: tests/unit/push-address.test.ts.
  'push/post.ts',
  // Addresses set by administrators: tests/integration/machine/events-out.test.ts.
  'events/post.ts',
  // META_GRAPH_URL, without following a redirect: tests/unit/conversions.test.ts.
  'conversions/meta.ts',
  // S3_ENDPOINT.
  'storage/bucket/sending.ts',
  // Feeds and their photos, each step of a redirect guarded: tests/integration/developments/feed.
  'http/address/get.ts',
]

/** Files that parse addresses and make no calls. */
const OF_ADDRESSES = ['auth/client-address.ts', 'http/address/public.ts']
/** Files that only accept connections. */
const LISTENERS = ['http/sockets.ts']

test('no other file of the server makes outgoing calls', () => {
  const server = path.resolve(import.meta.dirname, '../../server')
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|mjs)$/.test(file) && !/^(whatsapp\/gateway\/simulator|demo)\//.test(file),
  )
  const calling = files.filter((file) =>
    /(?<!\.)\bfetch\(|typeof fetch\b|from '(undici|node:(https?|net|tls))'/.test(
      readFileSync(path.join(server, file), 'utf8').replace(/^import type .*$/gm, ''),
    ),
  )
  expect(calling.toSorted()).toEqual([...CALLERS, ...LISTENERS, ...OF_ADDRESSES].toSorted())
})
