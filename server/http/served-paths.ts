// Classifies addresses by their first segment: the portal's own, for which the app's page never answers, and
// the app's pages.
import type { Context } from 'hono'

/**
 * Addresses of the portal, and addresses that supervisors, scrapers or OAuth clients request from any server;
 * unknown paths below included.
 */
const SERVED = ['api', 'auth', 'rest', 'webhook', 'i', 'metrics', 'health', 'healthz', '.well-known']
/** Supabase's other services, which its clients request at the same address. */
const CLOSED = ['storage', 'functions', 'realtime', 'graphql', 'analytics', 'pg', 'sso', 'mcp', 'rest-admin']

/** The app's pages, by the first segment of their address. */
const PAGES = new Set([
  '',
  'login',
  'panel',
  'test-supabase',
  'broker',
  'reports',
  'resultado',
  'origens',
  'remarketing',
  'crm',
  'prompts',
  'roleta',
  'empreendimentos',
  'conta',
  'administradores',
  'equipes',
  'saude',
  'integracoes',
  'auditoria',
  'dados',
])

const below = (name: string) => `/${name}/*`
/** The pages' names as route patterns. */
export const SERVED_PATHS = SERVED.map(below)
export const CLOSED_PATHS = CLOSED.map(below)

const NAMES = [...SERVED, ...CLOSED].join('|').replaceAll('.', String.raw`\.`)
const SERVED_NAME = new RegExp(`^[/\\\\]*(${NAMES})([/\\\\]|$)`, 'i')

/**
 * Whether the app's page answers for a decoded address: its own pages for everybody, other addresses only for
 * a browser, which is redirected home. A program that requests something else, such as a gateway's paths,
 * must not get a page.
 */
export const isPage = (address: string, accept = ''): boolean =>
  !isServed(address) && (PAGES.has(/[^/\\]+/.exec(address)?.[0] ?? '') || accept.includes('text/html'))

/** Tells whether a decoded address belongs to the server, in any spelling. */
const isServed = (address: string): boolean => SERVED_NAME.test(address)

/** The body has the format that storage-js reads. Other clients of supabase-js read the status. */
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
