// A webhook over a test database, with a broker's instance, and the state that its deliveries made.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '#server/clock.ts'
import type { Database, Row } from '#server/db/database.ts'
import { createLog } from '#server/log.ts'
import type { AppliedEvent } from '#server/whatsapp/webhook/apply.ts'
import { deliveriesOf } from '#server/whatsapp/gateway/rooms.ts'
import { createWebhook, type WebhookOptions } from '#server/whatsapp/webhook/routes.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { inTurn } from './balancer.ts'
import { databasesOf } from './database.ts'
import { openStorage } from './media.ts'

export const INSTANCE = 'corretor_ana'

type Webhook = ReturnType<typeof createWebhook>
export type TestWebhook = Awaited<ReturnType<typeof openWebhook>>

/**
 * `lines` is the log; `post` returns the status. With two portals (`databasesOf`) the deliveries alternate between
 * them. Another one over the same database gets the first one's secret.
 */
export async function openWebhook(
  db: Database,
  overrides: Partial<WebhookOptions> & { secret?: string } = {},
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'portal-media-'))
  const lines: string[] = []
  const applied: AppliedEvent[] = []
  await addInstance(db, INSTANCE)
  const secret = overrides.secret ?? (await mintWebhookSecret(db.query, INSTANCE))
  const openOne = async (own: Database) => {
    const storage = await openStorage(own, folder)
    const webhook = createWebhook({
      db: own,
      deliveriesOf,
      storage,
      clock: overrides.clock ?? systemClock,
      log: createLog('debug', (line) => lines.push(line)),
      onEvent: (item) => applied.push(item),
      ...overrides,
    })
    return { storage, ...webhook }
  }
  const webhooks = await Promise.all(databasesOf(db).map(openOne))
  const next = inTurn(webhooks)
  const drained = async () => void (await Promise.all(webhooks.map((webhook) => webhook.drained())))
  const send = async (body: unknown, address = `/${INSTANCE}/${secret}`) => {
    const written = typeof body === 'string' ? body : JSON.stringify(body)
    return next().routes.request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(written)) },
      body: written,
    })
  }
  return {
    drained,
    counts: () => next().counts(),
    ingestRecords: ((found) => next().ingestRecords(found)) satisfies Webhook['ingestRecords'],
    start: () => {
      const stops = webhooks.map((webhook) => webhook.start())
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
    secret,
    /** Of the first portal. */
    storage: webhooks[0]!.storage,
    lines,
    news: applied,
    send,
    post: async (body: unknown) => (await send(body)).status,
    /** Posts all in order, then waits until they are applied. */
    take: async (bodies: readonly unknown[]) => {
      for (const body of bodies) await send(body)
      await drained()
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function addInstance(db: Database, instanceName: string): Promise<void> {
  await db.query('insert into public.brokers ("instanceName") values ($1) on conflict do nothing', [
    instanceName,
  ])
}

/** Everything that deliveries create, without ids and times of this run. */
export async function stateOf(db: Database) {
  const read = async (sql: string): Promise<Row[]> => (await db.query(sql)).rows
  const who = `(select string_agg(i."instanceName" || ' ' || i.jid, ',' order by i.jid collate "C")
    from portal.identities i where i.person_id = c.person_id)`
  return {
    contacts: await read(
      `select c."instanceName", c.name, c.number, c.status, c.source, c.campaign, c.unread_count,
        c.last_message_timestamp, c.first_incoming_at, c.first_response_at, ${who} as who
      from public.whatsapp_contacts c order by c.number collate "C" nulls first`,
    ),
    messages: await read(
      `select m."instanceName", m.message_id, m."remoteJid", m."from", m.from_number, m.body, m."timestamp", m.type,
        m.kind, m.author, m.delivery, m.read, m.content, m.quoted, m.reactions, m.edited_at, m.deleted_at,
        r.raw is not null as has_raw, ${who} as who
      from public.whatsapp_messages m
      join public.whatsapp_contacts c on c.id = m.contact_id
      left join portal.message_raw r on r.message_id = m.id
      order by m."instanceName", m.message_id collate "C"`,
    ),
    waiting: await read('select target, kind, waited from portal.waiting_events order by target, kind'),
    links: await read(
      `select "instanceName", state, reason, state_at, owner_jid, profile_name, qr_text, qr_is_limit, qr_at
      from portal.instance_states order by 1`,
    ),
  }
}

/** Deletes all contacts, messages and states of a database. */
export async function clearState(db: Database): Promise<void> {
  await db.exec(`
    delete from portal.contact_merges; delete from portal.contact_routes; delete from portal.waiting_events;
    delete from portal.instance_states; delete from portal.own_addresses; delete from portal.webhook_inbox; delete from portal.webhook_aside;
    delete from public.whatsapp_contacts; delete from portal.identities; delete from portal.people`)
}
