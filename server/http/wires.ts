// The first names of addresses that are the server's alone, so that the app's page never answers for one of them.
import type { Context } from 'hono'

/** What the portal itself answers, and what a supervisor, a scraper or an OAuth client asks any server; unknown paths below included. */
const SERVED = ['api', 'auth', 'rest', 'webhook', 'metrics', 'health', 'healthz', '.well-known']
/** Supabase's other services, which its clients ask under the same address. */
const CLOSED = ['storage', 'functions', 'realtime', 'graphql', 'analytics', 'pg', 'sso', 'mcp', 'rest-admin']

const below = (name: string) => `/${name}/*`
/** As routes. */
export const SERVED_WIRES = SERVED.map(below)
export const CLOSED_WIRES = CLOSED.map(below)

const NAMES = [...SERVED, ...CLOSED].join('|').replaceAll('.', String.raw`\.`)
const WIRE = new RegExp(`^[/\\\\]*(${NAMES})([/\\\\]|$)`, 'i')

/** Whether a decoded address is one of the server's, however it is spelled. */
export const isWire = (address: string): boolean => WIRE.test(address)

/** In the shape that storage-js reads; the other clients of supabase-js read the status. */
export const closedWire = (context: Context) =>
  context.json(
    {
      statusCode: '404',
      error: 'not_found',
      code: 'wire.closed',
      message: 'Este serviço do Supabase está fechado neste portal. Abertos estão /rest/v1 e /auth/v1.',
    },
    404,
  )
