// Which way /rest/v1 is served: by our own layer, or by the Supabase that the settings name.
import type { Hono } from 'hono'
import type { Clock } from '#server/clock.ts'
import type { Settings } from '#server/settings.ts'
import type { Principal } from './execute.ts'
import { createRest, type RestOptions } from './routes.ts'
import { createUpstream } from './upstream.ts'

const MAX_ROWS = 1_000
const BODY_LIMIT_BYTES = 2_000_000

/** Row rules 'an administrator, or the own instance': no index serves an or, but a broker's half of it. */
export const OF_OWN_INSTANCE = ['public.whatsapp_contacts', 'public.roleta_corretores']
/** Read with their lead: unless the request says of which, a broker's are found by the own leads, not among everybody's. */
const MESSAGES = 'public.whatsapp_messages'
const OF_FEW_MESSAGES = ['contact_id', 'id', 'message_id', 'operation_id']
const OF_OWN_LEADS = `"whatsapp_messages".contact_id in (
  select own.id from public.whatsapp_contacts own where own."instanceName" = (select portal.my_instance()))`

/** A client that does not ask by `type` gets no notes: an app of before knows two types, and refuses a third. */
const WITHOUT_NOTES = `"whatsapp_messages".type <> 'note'`

/** What a token says may be an hour old: it only ever leaves out rows, and who is a broker becomes no administrator. */
function isBroker({ claims }: Principal): boolean {
  const { app_metadata: said } = claims
  return typeof said === 'object' && said !== null && 'portal_role' in said && said.portal_role === 'broker'
}

type Options = Pick<RestOptions, 'db' | 'log' | 'principalOf' | 'ownTables'> & {
  clock: Clock
  settings: Pick<Settings, 'supabase' | 'restSchemas' | 'restTxRollback'>
}

/** To be mounted at /rest/v1. */
export function createWire({ settings, ...parts }: Options): Hono {
  const options = {
    ...parts,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    livenessSql: 'portal.account_id() is not null or portal.service_name() is not null',
  }
  if (settings.supabase) return createUpstream({ ...options, supabase: settings.supabase })
  return createRest({
    ...options,
    schemas: settings.restSchemas,
    allowRollback: settings.restTxRollback,
    maxRows: MAX_ROWS,
    knownOf: (principal, table, named) => {
      const own = isBroker(principal) ? ofBroker(table, named) : null
      const known = table === MESSAGES && !named.includes('type') ? [WITHOUT_NOTES, own] : [own]
      return known.filter((condition) => condition !== null).join(' and ') || null
    },
  }).routes
}

function ofBroker(table: string, named: readonly string[]): string | null {
  if (OF_OWN_INSTANCE.includes(table))
    // Called as it stands, not as a row rule does: so the planner knows whose rows they are, and how dear it is to ask each row.
    return `"${table.split('.')[1]}"."instanceName" = portal.my_instance()`
  return table === MESSAGES && !named.some((name) => OF_FEW_MESSAGES.includes(name)) ? OF_OWN_LEADS : null
}
