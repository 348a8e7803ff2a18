// Inserts the sources of the demonstration's leads, and two bodies that could not be parsed.
import { randomBytes } from 'node:crypto'
import type { Query } from '#server/db/database.ts'
import { DAY, HOUR, toTimestamp } from '../calendar.ts'
import type { Scenario } from '../scenario.ts'
import { insertRows } from './insert.ts'
import type { PlacedLead } from './distributed.ts'

export type HashKeyOf = (made: { accountId: string; operationId: string }) => Uint8Array

type DemoSource = {
  kind: string
  name: string
  daysAgo: number
  /** The sources of leads that came through this key. */
  of: readonly string[]
  settings?: object
  unread?: { body: object; fault: string; hoursAgo: number }
}

const SOURCES: readonly DemoSource[] = [
  { kind: 'meta', name: 'Meta', daysAgo: 103, of: ['facebook'] },
  { kind: 'form', name: 'Site', daysAgo: 101, of: ['site', 'form'], settings: { source: 'site' } },
  { kind: 'email', name: 'Avisos por e-mail', daysAgo: 98, of: ['email'], settings: { source: 'email' } },
  {
    kind: 'olx',
    name: 'ZAP e OLX',
    daysAgo: 2,
    of: [],
    settings: { development: 'Mirante do Lago' },
    unread: {
      fault: 'Sem telefone nem e-mail',
      hoursAgo: 27,
      body: {
        leadOrigin: 'VivaReal',
        originLeadId: '65f2a9c01b2e4d0007a1c3de',
        originListingId: '2718281828',
        clientListingId: '4471',
        name: 'Josiane Nunes',
        email: null,
        ddd: null,
        phone: null,
        message: 'Gostaria de visitar este imóvel.',
      },
    },
  },
  {
    kind: 'imovelweb',
    name: 'ImovelWeb',
    daysAgo: 2,
    of: [],
    unread: {
      fault: 'Campo de telefone com nome novo: “contato_2”',
      hoursAgo: 2,
      body: {
        idEvento: 'b0a1f6de-3f52-4a53-8a3b-6d1b7c0e9a44',
        tipoEvento: 'CONTACTO_MENSAJE',
        referencia: '3308',
        nome: 'Luiz Ramos',
        contato_2: '(11) 95550-7788',
        mensagem: 'Ainda está disponível?',
      },
    },
  },
  { kind: 'google', name: 'Google Ads', daysAgo: 1, of: [] },
]

type Means = { leads: readonly PlacedLead[]; hashKeyOf?: HashKeyOf | undefined }

export async function seedSources(query: Query, scenario: Scenario, { leads, hashKeyOf }: Means) {
  const { random, calendar } = scenario
  const { rows } = await query<{ id: string }>(
    `select id from portal.accounts where role = 'admin' and username = 'admin'`,
  )
  const accountId = rows[0]?.id ?? ''
  for (const source of SOURCES) {
    const id = random.uuid()
    const createdAt = calendar.now - source.daysAgo * DAY
    const hash = hashKeyOf?.({ accountId, operationId: id }) ?? randomBytes(32)
    await query(
      `insert into portal.intake_keys (id, kind, name, hash, settings, per_minute, created_by, created_at, made_by, made_in)
       values ($1, $2, $3, $4, $5::jsonb, 120, 'admin', $6, $7, $1)`,
      [
        id,
        source.kind,
        source.name,
        hash,
        JSON.stringify(source.settings ?? {}),
        toTimestamp(createdAt),
        accountId,
      ],
    )
    await seedArrivals(
      query,
      id,
      leads.filter((lead) => source.of.includes(lead.source) && leftContact(lead)),
    )
    if (source.unread)
      await query(
        `insert into portal.intake_raw (key_id, content_type, body, attempts, received_at, fault)
         values ($1, 'application/json', $2, 1, $3, $4)`,
        [
          id,
          JSON.stringify(source.unread.body),
          toTimestamp(calendar.now - source.unread.hoursAgo * HOUR),
          source.unread.fault,
        ],
      )
  }
}

/** True if the lead came by a form. Then no rotation gave it out, and its broker wrote the first message. */
const leftContact = ({ isDistributed, messages }: PlacedLead) =>
  !isDistributed && messages[0]?.by === 'broker'

async function seedArrivals(query: Query, keyId: string, leads: readonly PlacedLead[]) {
  if (leads.length === 0) return
  // The triggers' work is done once for all rows.
  await query('alter table portal.lead_intakes disable trigger note_arrival')
  await query('alter table public.whatsapp_contacts disable trigger guard_contact')
  const columns = {
    contact_id: 'bigint',
    key_id: 'uuid',
    name: 'text',
    number: 'text',
    source: 'text',
    campaign: 'text',
    development: 'text',
    received_at: 'timestamptz',
  }
  await insertRows(
    query,
    { table: 'portal.lead_intakes', columns },
    leads.map((lead) => ({
      contact_id: lead.id,
      key_id: keyId,
      name: lead.person.name,
      number: lead.person.number,
      source: lead.source,
      campaign: lead.adCampaign,
      development: lead.development,
      received_at: toTimestamp(lead.createdAt),
    })),
  )
  const ids = leads.map(({ id }) => String(id))
  await query(
    `update public.whatsapp_contacts c set left_contact_at = i.received_at
     from portal.lead_intakes i where i.contact_id = c.id and c.id = any ($1::bigint[])`,
    [ids],
  )
  await query('select portal.carry($1::bigint[])', [ids])
  await query('set constraints all immediate')
  await query('alter table public.whatsapp_contacts enable trigger guard_contact')
  await query('alter table portal.lead_intakes enable trigger note_arrival')
}
