// Which addresses are served, by their first name: the portal's alone, for which the page never answers, and the app's pages.
import type { Context } from 'hono'

/** What the portal itself answers, and what a supervisor, a scraper or an OAuth client asks any server; unknown paths below included. */
const SERVED = ['api', 'auth', 'rest', 'webhook', 'metrics', 'health', 'healthz', '.well-known']
/** Supabase's other services, which its clients ask under the same address. */
const CLOSED = ['storage', 'functions', 'realtime', 'graphql', 'analytics', 'pg', 'sso', 'mcp', 'rest-admin']

/** The app's own pages, by the first name of their address. */
const PAGES = new Set([
  '',
  'login',
  'panel',
  'test-supabase',
  'broker',
  'reports',
  'remarketing',
  'crm',
  'prompts',
  'roleta',
  'conta',
  'administradores',
  'saude',
  'integracoes',
  'auditoria',
  'dados',
])

const below = (name: string) => `/${name}/*`
/** As routes. */
export const SERVED_PATHS = SERVED.map(below)
export const CLOSED_PATHS = CLOSED.map(below)

const NAMES = [...SERVED, ...CLOSED].join('|').replaceAll('.', String.raw`\.`)
const SERVED_NAME = new RegExp(`^[/\\\\]*(${NAMES})([/\\\\]|$)`, 'i')

/**
 * Whether the app's page answers for a decoded address: its own ones to everybody, any other only to a browser that goes there and is
 * led home. To a program that looks for something else here, as a gateway's paths, a page would be a lie.
 */
export const isPage = (address: string, accept = ''): boolean =>
  !isServed(address) && (PAGES.has(/[^/\\]+/.exec(address)?.[0] ?? '') || accept.includes('text/html'))

/** Whether a decoded address is one of the server's, however it is spelled. */
const isServed = (address: string): boolean => SERVED_NAME.test(address)

/** In the shape that storage-js reads; the other clients of supabase-js read the status. */
export const closedPath = (context: Context) =>
  context.json(
    {
      statusCode: '404',
      error: 'not_found',
      code: 'wire.closed',
      message: 'Este serviço do Supabase está fechado neste portal. Abertos estão /rest/v1 e /auth/v1.',
    },
    404,
  )
