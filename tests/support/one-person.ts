// A person who becomes known to every part of the portal in the real ways; and a search for traces of the person.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Database, Row } from '#server/db/database.ts'
import { createDatabaseStore } from '#server/storage/database.ts'
import { deliveriesOf } from '#server/whatsapp/gateway/rooms.ts'
import { createWebhook } from '#server/whatsapp/webhook/routes.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { databaseClock, manualClock } from './clock.ts'
import { delivery, messageData, type Written } from './deliveries.ts'
import { silentLog } from './gateway.ts'
import type { Calls } from './whatsapp.ts'
import { makeAgent, makeChatMessage, makeContact, makeDevelopment, type MadeBroker } from './make.ts'
import { openOffice } from './office.ts'
import { makeKeys } from './push.ts'
import { makeLinkedBroker, makeSeatedRotation, openDistributor } from './rotation.ts'

export type Person = {
  name: string
  /** Digits with country code. */
  number: string
  lid: string
  /** A word in all messages from the person and all texts about them. */
  word: string
}

export const ZULEICA: Person = {
  name: 'Zuleica Prado',
  number: '5511987654321',
  lid: '99887766554433@lid',
  word: 'girassol',
}
export const OTAVIO: Person = {
  name: 'Otávio Brandt',
  number: '5521976543210',
  lid: '11223344556677@lid',
  word: 'hortênsia',
}

/** Strings that identify a person, in each written form. */
export const marksOf = ({ name, number, lid, word }: Person): string[] => [
  name,
  number.slice(-8),
  lid.split('@')[0] ?? lid,
  word,
]

export type Agency = Awaited<ReturnType<typeof openAgency>>

/** Brokers, administrator, a rotation and an agent; sent messages stay in the gateway. */
export async function openAgency() {
  const office = await openOffice({ make: makeLinkedBroker, storage: createDatabaseStore })
  const { db, portal, ana, bia, asAna, asAdmin } = office
  const storage = createDatabaseStore(db)
  const rotation = await makeSeatedRotation(db, [ana])
  const agent = await makeAgent(db, { empreendimento: rotation.name, instanceName: ana.instanceName })
  await db.query(
    `insert into portal.send_queues ("instanceName", held_until) select "instanceName", 'infinity' from brokers`,
  )
  const hook = createWebhook({
    db,
    deliveriesOf,
    log: silentLog,
    clock: databaseClock(),
    storage,
    onEvent: () => undefined,
  })
  const secrets = new Map<string, string>()
  for (const { instanceName } of [ana, bia])
    secrets.set(instanceName, await mintWebhookSecret(db.query, instanceName))
  const { p256dh, authText: auth } = makeKeys()
  await asAna.call('/api/push/devices', {
    endpoint: 'https://push.example.com/celular',
    keys: { p256dh, auth },
    name: 'Celular',
  })

  /** A gateway delivery, two minutes old by default; resolves once it is applied. */
  async function tell({ instanceName }: MadeBroker, body: unknown) {
    await hook.routes.request(`/${instanceName}/${secrets.get(instanceName)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    await hook.drained()
  }
  const { body: made } = await asAdmin.call('/api/leads/keys', {
    operationId: randomUUID(),
    kind: 'form',
    name: 'Site',
  })

  /** The person fills in the form of the rotation's development: the same delivery id each time. */
  async function comesIn({ name, number, word }: Person) {
    const response = await portal.request('/api/leads', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${String(made['key'])}` },
      body: JSON.stringify({
        nome: name,
        telefone: number,
        mensagem: `Quero ver, ${word}`,
        empreendimento: rotation.name,
        externalId: `formulario-${word}`,
      }),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }

  /** A delivery from another system from which no lead can be made. */
  async function sentUnread({ name, number, word }: Person) {
    await portal.request('/api/leads', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${String(made['key'])}` },
      body: JSON.stringify({ interessado: `${name}, ${number}`, texto: word }),
    })
  }

  /** A row in an imported list from which no lead can be made. */
  async function standsInList({ name, number, word }: Person) {
    const id = randomUUID()
    await done(asAdmin.call('/api/imports', { id, fileName: 'lista.csv', total: 1, destination: 'inbox' }))
    await done(
      asAdmin.call(`/api/imports/${id}/rows`, {
        rows: [[2, name, '1,1987E+10', null, null, null, null, null, `${word} ${number}`]],
      }),
    )
  }

  return { ...office, comesIn, sentUnread, standsInList, storage, roleta: rotation, agent, tell }
}

let count = 0

const twoMinutesAgo = () => Math.floor(Date.now() / 1000) - 120

/** A message from the person. */
export const wrote = (written: Written, sentAt = twoMinutesAgo()) =>
  delivery('messages.upsert', messageData({ id: `P${++count}`, sentAt, ...written }), sentAt * 1000)

async function done(asked: ReturnType<Calls['call']>): Promise<Record<string, unknown>> {
  const { status, body } = await asked
  expect([status, body]).toEqual([expect.toSatisfy((known: number) => known < 300), body])
  return body
}

/**
 * The person comes in by a form, writes, is answered, noted about, transferred and back, and scheduled for: every kind
 * of data exists.
 */
export async function meet(agency: Agency, person: Person): Promise<{ contactId: number }> {
  const { db, ana, bia, asAna, asAdmin, agent, tell } = agency
  const { name, number, lid, word } = person
  const phone = `${number}@s.whatsapp.net`
  expect((await agency.comesIn(person)).status).toBe(201)
  await agency.sentUnread(person)
  await agency.standsInList(person)
  await openDistributor(db, manualClock(Date.now() + 1_000)).run()

  const says = (text: string) => ({ conversation: `${text} ${word}` })
  await tell(ana, wrote({ key: { remoteJid: phone }, message: says('Olá'), pushName: name }))
  await tell(ana, wrote({ key: { remoteJid: lid }, message: says('Sou eu'), pushName: name }))
  await tell(ana, wrote({ key: { remoteJid: lid, remoteJidAlt: phone }, message: says('Também eu') }))
  await tell(bia, wrote({ key: { remoteJid: lid }, message: says('Oi, Bia'), pushName: name }))
  const photo = {
    imageMessage: { mimetype: 'image/jpeg', caption: word },
    base64: Buffer.from(`foto de ${word}`).toString('base64'),
  }
  await tell(ana, wrote({ id: `FOTO-${word}`, key: { remoteJid: phone }, message: photo }))
  await tell(ana, wrote({ key: { remoteJid: phone }, message: { hologramMessage: { words: word } } }))
  await tell(ana, {
    ...delivery('messages.edited', {
      key: { remoteJid: phone, fromMe: false, id: `SEM-MENSAGEM-${word}` },
      type: 'MESSAGE_EDIT',
      editedMessage: { conversation: `corrigido ${word}` },
    }),
    date_time: new Date(twoMinutesAgo() * 1000).toISOString(),
  })
  await tell(
    ana,
    delivery('contacts.update', { remoteJid: `${number.slice(0, -2)}99@lid`, pushName: 'Ninguém' }),
  )
  await tell(ana, { data: { key: { remoteJid: phone }, texto: word } })
  await tell(bia, wrote({ key: { remoteJid: lid }, message: { conversation: 'SAIR' } }))

  const { rows } = await db.query<{ id: number }>(
    `select c.id from whatsapp_contacts c where c."instanceName" = $1 and c.number = $2`,
    [ana.instanceName, number],
  )
  const contactId = rows[0]?.id ?? 0
  await done(
    asAna.call('/rest/v1/rpc/rename_lead', {
      p_contact_id: contactId,
      p_name: `${name} ${word}`,
      p_operation_id: randomUUID(),
    }),
  )
  await done(
    asAna.call('/rest/v1/rpc/save_lead_notes', {
      p_contact_id: contactId,
      p_notes: `Gosta de ${word}`,
      p_operation_id: randomUUID(),
    }),
  )
  await done(
    asAna.call('/rest/v1/rpc/atualizar_status_lead', {
      p_contact_id: contactId,
      p_novo_status: 'conversa',
      p_operation_id: randomUUID(),
    }),
  )
  await done(
    asAna.call('/rest/v1/rpc/action_save', {
      p_contact_id: contactId,
      p_kind: 'call',
      p_due_at: new Date(Date.now() + 3_600_000).toISOString(),
      p_note: `Falar de ${word}`,
      p_operation_id: randomUUID(),
    }),
  )
  await done(
    asAna.call('/rest/v1/rpc/message_schedule', {
      p_contact_id: contactId,
      p_text: `Até amanhã, ${word}`,
      p_due_at: new Date(Date.now() + 3_600_000).toISOString(),
      p_operation_id: randomUUID(),
    }),
  )
  await done(
    asAna.call('/rest/v1/rpc/plan_start', {
      p_contact_id: contactId,
      p_steps: [
        {
          operationId: randomUUID(),
          kind: 'message',
          dueAt: new Date(Date.now() + 86_400_000).toISOString(),
          text: `Viu o ${word}?`,
        },
      ],
      p_operation_id: randomUUID(),
    }),
  )
  await done(
    asAna.call('/api/messages/text', { contactId, text: `Claro, ${word}`, operationId: randomUUID() }),
  )
  const development = await makeDevelopment(db)
  await done(
    asAna.call('/rest/v1/rpc/material_send', {
      p_contact_id: contactId,
      p_development_id: development.id,
      p_things: [{ operationId: randomUUID(), kind: 'text', text: `Planta com ${word}`, label: word }],
      p_operation_id: randomUUID(),
    }),
  )
  for (const { instanceName } of [bia, ana])
    await done(
      asAdmin.call('/rest/v1/rpc/transferir_leads', {
        p_contact_ids: [contactId],
        p_broker_name: instanceName,
        p_operation_id: randomUUID(),
      }),
    )
  await db.query(
    `with turn as (
       insert into portal.agent_turns (kind, agent_id, contact_id, state, began_at, due_at, ended_at, body)
       values ('suggestion', $1, $2, 'proposed', now(), now(), now(), $3) returning *)
     insert into portal.agent_handovers (contact_id, turn_id, at, wants) select contact_id, id, began_at, body from turn`,
    [agent.id, contactId, `Claro, ${word}`],
  )
  await db.query(
    `insert into portal.lead_clicks (contact_id, kind, value, at) values ($1, 'gclid', $2, now())`,
    [contactId, `Clique ${word}`],
  )
  await db.query(
    `with way as (insert into portal.conversion_targets (target) values ('crm') on conflict (target) do nothing)
     insert into portal.conversions (contact_id, step, target, event_id, name, happened_at, fault)
     values ($1, 'sale', 'crm', $2, 'Venda', now(), $2)`,
    [contactId, `Recusa ${word}`],
  )
  await db.query(
    `insert into portal.bench_cases (agent_id, contact_id, operation_id, title, lines, hands_over)
     values ($1, $2, gen_random_uuid(), $3, jsonb_build_array(jsonb_build_object('by', 'lead', 'text', $3::text)), true)`,
    [agent.id, contactId, `Quero ${word}`],
  )
  await db.query(
    `insert into portal.transcripts (message_id, body, model)
     select max(id), $2, 'ouvido' from whatsapp_messages where contact_id = $1`,
    [contactId, `Ouvi ${word}`],
  )
  await db.query(
    `with shown as (insert into public.developments (name) values ($2) returning id),
       page as (insert into portal.public_pages (slug, development_id) select 'pagina-' || id, id from shown returning id)
     insert into portal.page_links (token_hash, contact_id, page_id, made_at, visited_at)
     select sha256(convert_to($2, 'utf8')), $1, id, now(), array[now()] from page`,
    [contactId, `Página ${++count}`],
  )
  // Once as a further number of somebody else, and once as a doubtful number.
  const { id: friendId } = await makeContact(db, bia.instanceName)
  await db.query(`select portal.add_numbers($1, array[$2])`, [friendId, number])
  await db.query(
    `insert into portal.number_doubts (contact_id, shown, numbers)
     select c.id, $2, array['+' || $2] from whatsapp_contacts c
     where c."instanceName" = $1 and c.name = $3`,
    [bia.instanceName, number, name],
  )
  await makeChatMessage(db, agent.id, phone)
  await db.query(
    `update agent_chat_messages set message = message || jsonb_build_object('content', $1::text) where remotejid = $2`,
    [word, phone],
  )
  return { contactId }
}

export type Found = { table: string; row: string }

/** Every row of every table, without views, that identifies the person: as text or as its bytes. */
export async function tracesOf(db: Database, person: Person): Promise<Found[]> {
  const marks = marksOf(person).flatMap((mark) => [mark, Buffer.from(mark).toString('hex')])
  const found: Found[] = []
  for (const table of await tablesOf(db)) {
    const { rows } = await db.query<Row & { row: string }>(
      `select t.row from (select to_jsonb(t)::text as row from ${table} t) t
      where exists (select from unnest($1::text[]) as mark where strpos(t.row, mark) > 0)`,
      [marks],
    )
    found.push(...rows.map(({ row }) => ({ table, row })))
  }
  return found
}

export async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'supabase_migrations')
      and n.nspname !~ '^pg_(toast|temp)' order by 1`,
  )
  return rows.map(({ name }) => name)
}
