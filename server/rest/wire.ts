// Chooses the implementation of /rest/v1: the portal's own, or the configured Supabase.
import type { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { Settings } from '#server/settings.ts'
import type { Principal } from './execute.ts'
import { createRest, type Asked, type RestOptions } from './routes.ts'
import { createUpstream } from './upstream.ts'

const MAX_ROWS = 1_000
const MAX_BODY_BYTES = 2_000_000

/**
 * Tables whose row rule is 'administrator or own instance': no index serves the OR, but one serves the
 * broker's half.
 */
export const OF_OWN_INSTANCE = ['public.whatsapp_contacts', 'public.roleta_corretores']
/**
 * Readable with their lead: unless the request names a lead, a broker's messages are found through the
 * broker's leads instead of among all.
 */
const MESSAGES = 'public.whatsapp_messages'
const OF_FEW_MESSAGES = ['contact_id', 'id', 'message_id', 'operation_id']
const OF_OWN_LEADS = `"whatsapp_messages".contact_id in (
  select own.id from public.whatsapp_contacts own where own."instanceName" = (select portal.my_instance()))`

/** Clients that do not filter by `type` get no notes: older apps know two types and reject a third. */
const WITHOUT_NOTES = `"whatsapp_messages".type <> 'note'`

/** Functions of dashboards and reports. Boards, 'Agora' and conversations are not among them. */
const REPORTS = new Set([
  'count_leads_of_figure',
  'get_agent_costs',
  'get_available_empreendimentos',
  'get_brokers_by_empreendimento',
  'get_campaign_history',
  'get_campaign_stats',
  'get_dashboard_data_by_params',
  'get_dashboard_overview_data',
  'get_distributed_leads',
  'get_origin_leads',
  'get_origins',
  'get_response_times',
  'get_result_leads',
  'get_results',
  'get_segment_leads',
  'get_segment_result',
  'get_segment_result_leads',
  'get_segment_sends',
  'get_total_contatos_por_corretor',
  'get_value_and_losses',
])
/** Lists of at least so many rows, unless a broker's app asks, are exports by other programs. */
const LONG_LIST = 500

const isReport = ({ kind, name, url, principal }: Asked): boolean =>
  kind === 'function'
    ? REPORTS.has(name)
    : !isBroker(principal) && Number(url.searchParams.get('limit')) >= LONG_LIST

/**
 * A broker who leads no team. A token's claims may be an hour old. They are used only to exclude rows, and a broker
 * never becomes an administrator.
 */
function isBroker({ claims }: Principal): boolean {
  const { app_metadata: said } = claims
  if (typeof said !== 'object' || said === null || 'leads_team' in said) return false
  return 'portal_role' in said && said.portal_role === 'broker'
}

type Options = Pick<RestOptions, 'db' | 'reading' | 'log' | 'principalOf' | 'ownTables'> & {
  clock: Clock
  settings: Pick<Settings, 'supabase' | 'restSchemas' | 'restTxRollback'>
  /** The portal's version. */
  version: string
}

/** The caller mounts these routes at /rest/v1. */
export function createWire({ settings, version, ...parts }: Options): Hono {
  const options = {
    ...parts,
    bodyLimitBytes: MAX_BODY_BYTES,
    livenessSql: 'portal.account_id() is not null or portal.service_name() is not null',
  }
  if (settings.supabase) return createUpstream({ ...options, supabase: settings.supabase })
  return createRest({
    ...options,
    schemas: settings.restSchemas,
    allowRollback: settings.restTxRollback,
    maxRows: MAX_ROWS,
    root: { allowed: 'portal.is_admin()', version },
    isReport,
    knownOf: (principal, table, named) => {
      const own = isBroker(principal) ? ofBroker(table, named) : null
      const known = table === MESSAGES && !named.includes('type') ? [WITHOUT_NOTES, own] : [own]
      return known.filter((condition) => condition !== null).join(' and ') || null
    },
  }).routes
}

function ofBroker(table: string, named: readonly string[]): string | null {
  if (OF_OWN_INSTANCE.includes(table))
    // Called directly, not through a row rule, so that the planner knows the instance and the cost of each
    // row.
    return `"${table.split('.')[1]}"."instanceName" = portal.my_instance()`
  return table === MESSAGES && !named.some((name) => OF_FEW_MESSAGES.includes(name)) ? OF_OWN_LEADS : null
}
