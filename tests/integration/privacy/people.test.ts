// One person's data: all of it found, exported and erased, in every table, and nobody else's (LGPD art. 18).
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { auditSentence, type AuditEntry } from '#domain/audit.ts'
import { PLACES, type HeldData } from '#domain/person-data.ts'
import type { Gateway } from '#server/gateway.ts'
import { createFindMedia } from '#server/whatsapp/media/media.ts'
import { delivery } from '#tests/support/deliveries.ts'
import { eventually } from '#tests/support/eventually.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { makeCampaign, makeMessage, makeRecipient, type MadeContact } from '#tests/support/make.ts'
import {
  marksOf,
  meet,
  openAgency,
  OTAVIO,
  tablesOf,
  tracesOf,
  wrote,
  ZULEICA,
} from '#tests/support/one-person.ts'
import { unzip } from '#tests/support/zip.ts'

/**
 * Tables without any person's data. A table that is neither here nor in what the test finds is new: fill it with
 * personal data in
 * tests/support/one-person.ts and erase it, or add it here.
 */
const NOTHING_OF_PERSONS = [
  'portal.unknown_kinds',
  // Staff and their access.
  'portal.accounts',
  'portal.factor_challenges',
  'portal.factors',
  'portal.hooks',
  'portal.intake_keys',
  'portal.mailbox_mails',
  'portal.mailboxes',
  'portal.machine_usage',
  'portal.machine_writes',
  'portal.recovery_codes',
  'portal.refresh_tokens',
  'portal.service_tokens',
  'portal.sessions',
  'portal.throttle',
  'portal.visit_hours',
  'portal.calendar_feeds',
  'portal.throttle_rules',
  'public.brokers',
  // Tables with brokers' devices, links and settings.
  'portal.agent_bench_runs',
  'portal.agent_facts',
  'portal.instance_limits',
  'portal.instance_moves',
  'portal.development_names',
  'portal.development_prices',
  'public.development_media',
  'public.development_plans',
  'public.development_units',
  'public.developments',
  'portal.feed',
  'portal.feed_changes',
  'portal.feed_out',
  'portal.feed_runs',
  'portal.listing_photos',
  'portal.public_pages',
  'portal.team_managers',
  'portal.team_members',
  'portal.teams',
  'public.listings',
  'portal.agent_names',
  'portal.agent_settings',
  'portal.campaign_days',
  'portal.first_text_days',
  'portal.lead_additions',
  'portal.imports',
  'portal.instance_states',
  'portal.instance_sweeps',
  'portal.leftover_instances',
  'portal.name_turns',
  'portal.own_assistants',
  'portal.plans',
  'portal.ad_spend',
  'portal.conversion_targets',
  'portal.plan_steps',
  'portal.prompt_drafts',
  'portal.summary_costs',
  'portal.push_devices',
  'portal.push_keys',
  'portal.push_settings',
  'portal.segment_sends',
  'portal.segments',
  'portal.send_queues',
  'portal.settings',
  'portal.heartbeat',
  'portal.webhook_secrets',
  'public.campaign_settings',
  'public.kanban_stages',
  'public.prompt_versions',
  'public.prompts_agents',
  'public.quick_replies',
  'public.remarketing_campaigns',
  'public.roleta_corretores',
  'public.roletas',
  // Counts, ids and times of leads.
  'portal.agent_pauses',
  'portal.audit_log',
  'portal.audit_notes',
  'portal.board_changes',
  'portal.event_out',
  'portal.board_sequences',
  'portal.contact_routes',
  'portal.interests',
  'portal.lead_passes',
  'portal.lead_plans',
  'portal.lead_deltas',
  'portal.lead_rollup',
  'portal.media',
  'portal.media_puts',
  'portal.model_endpoints',
  'portal.model_prices',
  'portal.muted_leads',
  'portal.outgoing',
  'portal.outgoing_reactions',
  'portal.owner_history',
  'portal.page_links',
  'portal.push_queue',
  'portal.roleta_cases',
  'portal.segment_arms',
  'portal.roleta_events',
  'portal.stage_history',
  'portal.answer_deadlines',
  'portal.deadline_changes',
  'portal.risk_warnings',
  'portal.visits',
  // Has only Meta's id of a lead, until the portal has fetched the lead.
  'portal.meta_inbox',
  // Only until it is applied, which ignores an erased person.
  'portal.webhook_inbox',
  // Keyed hashes.
  'portal.erasures',
  'portal.media_removals',
  'portal.opt_outs',
  'portal.private_contacts',
  // For seven days, read by no role; private-contacts proves its erasure.
  'portal.private_history',
  // Has addresses of the agency's own phones.
  'portal.own_addresses',
]

const agency = await openAgency()
afterAll(agency.close)
const { db } = agency
const zuleica = await meet(agency, ZULEICA)
const otavio = await meet(agency, OTAVIO)
await planCampaigns()

/** A future one, and one that was read and answered. */
async function planCampaigns() {
  const contactIds = [zuleica.contactId, otavio.contactId]
  const planned = await agency.asAna.call('/api/campaigns', {
    operationId: randomUUID(),
    stage: 'conversa',
    message: 'Oi, {nome}! Como vai?',
    contactIds,
    startsAt: new Date(Date.now() + 86_400_000).toISOString(),
  })
  expect(planned.status).toBe(200)
  const { id } = await makeCampaign(db, agency.ana.id, { total_contacts: 2, processed_contacts: 2 })
  for (const contactId of contactIds) {
    const { rows } = await db.query<MadeContact>('select * from whatsapp_contacts where id = $1', [contactId])
    const line = await makeMessage(db, contactId, {
      type: 'outgoing',
      author: 'campaign',
      delivery: 'read',
    })
    const recipient = await makeRecipient(db, id, rows[0]!)
    await db.query(
      `update campaign_recipients set state = 'sent', message_id = $2, accepted_at = now() - interval '1 hour' where id = $1`,
      [recipient.id, line.id],
    )
  }
}

const ask = (path: string, body: unknown) => agency.asAdmin.call(`/api/people/${path}`, body)
const TYPED = { number: '(11) 98765-4321' }
const find = async (who: unknown) => {
  const { status, body } = await ask('find', who)
  expect([status, body]).toEqual([200, body])
  return body as unknown as HeldData
}
const tables = async (person = ZULEICA) => new Set((await tracesOf(db, person)).map(({ table }) => table))
const reported = async () => {
  const { body } = await agency.asAdmin.call('/api/audit?what=leads')
  return (body['entries'] as AuditEntry[]).map(auditSentence)
}
const outcomes = async () => (await agency.asAna.call('/rest/v1/rpc/get_campaign_history', {})).body

test("every table is filled by the test, or contains no person's data", async () => {
  const known = [...(await tables()), ...NOTHING_OF_PERSONS]
  expect(known.toSorted()).toEqual(await tablesOf(db))
})

test.each([
  TYPED,
  { number: '11987654321' },
  { number: '1187654321' },
  { number: '+55 11 98765 4321' },
  { number: '551187654321' },
])('is found by any form of the number: %o', async (who) => {
  const { leads, files, places, optedOutAtMs } = await find(who)
  expect(new Set(leads.map(({ instanceName }) => instanceName))).toEqual(
    new Set([agency.ana.instanceName, agency.bia.instanceName, null]),
  )
  expect([files, typeof optedOutAtMs]).toEqual([1, 'number'])
  expect(places.map(({ place }) => place)).toEqual(Object.keys(PLACES))
})

test('is found from any of the contacts, and an unknown number finds nobody', async () => {
  const { leads } = await find(TYPED)
  for (const { id } of leads) expect((await find({ contactId: id })).leads).toEqual(leads)
  expect(await find({ number: '(11) 90000-0000' })).toEqual({
    optedOutAtMs: null,
    leads: [],
    files: 0,
    places: [],
  })
  expect((await ask('find', { number: '98765' })).status).toBe(422)
})

test('the file contains all of it, and nothing of anybody else', async () => {
  const response = await agency.asAdmin.request('/api/people/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(TYPED),
  })
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('cache-control'),
  ]).toEqual([200, 'application/zip', 'no-store'])
  const files = unzip(Buffer.from(await response.arrayBuffer()))
  const lists = Object.values(PLACES).map(({ file }) => `${file}.json`)
  expect([...files.keys()].filter((name) => !name.startsWith('midia/'))).toEqual(['LEIA-ME.txt', ...lists])
  for (const name of lists) expect(JSON.parse(String(files.get(name))), name).not.toEqual([])
  const [photo] = [...files].filter(([name]) => name.startsWith('midia/'))
  expect(photo?.[0]).toMatch(/^midia\/mensagem-\d+\.jpeg$/)
  expect(String(photo?.[1])).toBe(`foto de ${ZULEICA.word}`)
  const whole = [...files.values()].map(String).join()
  for (const mark of marksOf(ZULEICA)) expect(whole).toContain(mark)
  for (const mark of marksOf(OTAVIO)) expect(whole).not.toContain(mark)
  expect(await reported()).toContainEqual(
    expect.stringMatching(/^Exportou todos os dados de uma pessoa de número final 21: \d+ registros$/),
  )
})

describe('permissions', () => {
  test.each(['find', 'export', 'erase'])('%s: only administrators, with a valid request', async (path) => {
    const body = { ...TYPED, operationId: randomUUID() }
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    expect((await agency.portal.request(`/api/people/${path}`, init)).status).toBe(401)
    const { body: made } = await agency.asAdmin.call('/api/people/nothing', body)
    expect(made).toMatchObject({ error: { code: expect.any(String) } })
    for (const { call } of [agency.asAna, agency.asBia])
      expect(await call(`/api/people/${path}`, body)).toMatchObject({
        status: 403,
        body: { error: { code: 'access.denied', message: 'Somente um administrador pode fazer isto.' } },
      })
    for (const wrong of [{}, { number: 5 }, { contactId: 'x' }, [], null])
      expect((await ask(path, wrong)).status).toBe(422)
    expect((await tables()).size).toBeGreaterThan(0)
  })

  test('an unknown person has nothing to export or erase', async () => {
    for (const path of ['export', 'erase'])
      expect(await ask(path, { number: '(11) 90000-0000', operationId: randomUUID() })).toMatchObject({
        status: 404,
        body: { error: { code: 'person.unknown', message: 'O portal não tem dados desta pessoa.' } },
      })
    expect((await ask('erase', TYPED)).status).toBe(422)
  })
})

describe('erasure', () => {
  const operationId = randomUUID()
  const erase = () => ask('erase', { ...TYPED, operationId })
  const filesLeft = async () => (await db.query('select from portal.media_removals')).rows.length
  /** New files rest for a minute, because somebody may be about to refer to them. */
  async function deleteFiles() {
    await db.query(`update portal.media set put_at = now() - interval '2 minutes'`)
    agency.portal.clock.advance(60_000)
    while ((await filesLeft()) > 0);
  }

  test('not while a message is being sent, whose report would bring the person back', async () => {
    await db.exec(
      `update portal.outgoing set claimed_by = gen_random_uuid(), claimed_at = now(), "instanceName" = 'x'`,
    )
    expect(await erase()).toMatchObject({ status: 409, body: { error: { code: 'person.sending' } } })
    await db.exec('update portal.outgoing set claimed_by = null, claimed_at = null, "instanceName" = null')
    expect((await tables()).size).toBeGreaterThan(10)
  })

  test('as of its execution, however long it waited for the lock', async () => {
    await db.transaction(
      async (query) => {
        await query('select portal.remember_erasure(portal.subject_of($1, null))', [ZULEICA.number])
        const { rows } = await query<{ n: number; later: number }>(
          'select count(*) as n, count(*) filter (where erased_at > now()) as later from portal.erasures',
        )
        expect(rows[0]?.n).toBeGreaterThan(0)
        expect(rows[0]?.later).toBe(rows[0]?.n)
      },
      { rollback: true },
    )
  })

  test('once per operation, everywhere, and nothing of anybody else', async () => {
    const others = await tracesOf(db, OTAVIO)
    const history = await outcomes()
    const { body: board } = await agency.asAna.call('/rest/v1/rpc/sync_board', {
      p_instance: agency.ana.instanceName,
    })
    // Such a new file is kept, because its row may be about to be written.
    await db.query('update portal.media set put_at = now()')
    const { status, body } = await erase()
    expect([status, body]).toEqual([200, { leads: 3, messages: 11, rows: expect.any(Number), files: 1 }])
    expect([...(await tables())]).toEqual(['portal.media_chunks'])
    expect(await tracesOf(db, OTAVIO)).toEqual(others)
    expect((await erase()).body).toEqual(body)
    expect((await ask('erase', { ...TYPED, operationId: randomUUID() })).status).toBe(404)
    expect(await find(TYPED)).toMatchObject({ leads: [], places: [], optedOutAtMs: expect.any(Number) })

    const after = await agency.asAna.call('/rest/v1/rpc/sync_board', {
      p_instance: agency.ana.instanceName,
      p_cursor: board['cursor'],
    })
    expect(after.body).toMatchObject({ leads: [], removed: [zuleica.contactId] })
    expect(await reported()).toContain(
      'Excluiu todos os dados de uma pessoa de número final 21: 3 contatos, 11 mensagens',
    )

    // Every device learns which of its data to delete, by its own ids, and nothing about others.
    for (const { call } of [agency.asAna, agency.asBia, agency.asAdmin])
      expect(
        (
          await call('/rest/v1/rpc/erased_leads', {
            p_contacts: [zuleica.contactId, otavio.contactId, 987_654_321],
          })
        ).body,
      ).toEqual([zuleica.contactId])
    expect(
      (
        await agency.asAna.call('/rest/v1/rpc/erased_leads', {
          p_contacts: Array.from({ length: 1_001 }, (_, id) => id),
        })
      ).status,
    ).toBe(422)

    // Campaign counts stay; a future recipient is removed.
    const now = (await outcomes()) as unknown as Record<string, unknown>[]
    expect(now.map(({ waiting }) => waiting)).toEqual([0, 1])
    expect(now.map((row) => ({ ...row, waiting: null }))).toEqual(
      (history as unknown as Record<string, unknown>[]).map((row) => ({ ...row, waiting: null })),
    )
  })

  test('files are deleted after a rest, and only those that nobody else has', async () => {
    expect(await filesLeft()).toBe(1)
    await deleteFiles()
    expect([...(await tables())]).toEqual([])
    expect((await tables(OTAVIO)).has('portal.media_chunks')).toBe(true)
  })

  test('older data still in the gateway has no effect', async () => {
    const phone = `${ZULEICA.number}@s.whatsapp.net`
    const { ana, bia, tell } = agency
    const old = (jid: string) => wrote({ key: { remoteJid: jid }, message: { conversation: ZULEICA.word } })
    const photo = {
      imageMessage: { mimetype: 'image/jpeg' },
      base64: Buffer.from(ZULEICA.word).toString('base64'),
    }
    await tell(ana, old(phone))
    await tell(bia, old(phone))
    await tell(ana, old(ZULEICA.lid))
    await tell(ana, wrote({ key: { remoteJid: phone }, message: photo }))
    await tell(ana, delivery('contacts.update', { remoteJid: phone, pushName: ZULEICA.name }))
    await tell(ana, delivery('contacts.update', { remoteJid: ZULEICA.lid, pushName: ZULEICA.name }))
    await tell(ana, {
      ...delivery('messages.edited', {
        key: { remoteJid: phone, id: `FOTO-${ZULEICA.word}` },
        type: 'MESSAGE_EDIT',
        editedMessage: { conversation: ZULEICA.word },
      }),
      date_time: new Date().toISOString(),
    })
    const { status, body } = await agency.comesIn(ZULEICA)
    expect([status, body]).toEqual([200, { id: null, status: 'repetido' }])
    expect([...(await tables())]).toEqual(['portal.media_chunks'])
    // The late photo goes like those that were erased with the person.
    expect(await filesLeft()).toBe(1)
    await deleteFiles()
    expect([...(await tables())]).toEqual([])
  })

  test('a file that the gateway still sends when its message is erased is not kept', async () => {
    const { storage } = agency.portal.parts
    const unopened = { mediaId: null, mimeType: 'image/jpeg', fileName: null, sizeBytes: null }
    const { id } = await makeMessage(db, otavio.contactId, {
      kind: 'image',
      message_id: 'LATE-PHOTO',
      instanceName: agency.ana.instanceName,
      content: JSON.stringify(unopened),
    })
    const fetchMedia = async () => {
      await db.query('delete from public.whatsapp_messages where id = $1', [id])
      return Buffer.from(ZULEICA.word)
    }
    const gateway = { fetchMedia } as Partial<Gateway> as Gateway
    const find = createFindMedia({ db, log: silentLog, storage, gateway })
    await expect(find(null, id)).rejects.toMatchObject({ code: 'media.unknown' })
    await deleteFiles()
    expect([...(await tables())]).toEqual([])
  })

  test('the same person writing again is new, and excluded from campaigns', async () => {
    const later = Math.floor(Date.now() / 1000) + 5
    const jids = [`${ZULEICA.number.replace('55119', '5511')}@s.whatsapp.net`, ZULEICA.lid]
    for (const [index, remoteJid] of jids.entries())
      await agency.tell(
        index === 0 ? agency.ana : agency.bia,
        wrote({ key: { remoteJid }, message: { conversation: 'Voltei' }, pushName: 'Zu' }, later),
      )
    const somebody = { name: 'Zu', notes: null, status: 'new', is_left_alone: true, lines: 1 }
    // The portal may apply a delivery itself, since its clock moved on.
    await eventually(async () => {
      const { rows } = await db.query<Record<string, unknown>>(
        `select c.name, c.notes, c.status, p.opted_out_at is not null as is_left_alone, (select count(*) from whatsapp_messages m where m.contact_id = c.id) as lines
        from whatsapp_contacts c join portal.people p on p.id = c.person_id where c.name = 'Zu'`,
      )
      expect(rows).toEqual([somebody, somebody])
    })

    // A device's older commands are not applied to the new contact: only a merge is followed by the number.
    const before = {
      operationId: randomUUID(),
      contactId: zuleica.contactId,
      number: ZULEICA.number,
      brokerName: agency.ana.instanceName,
      text: 'Oi! Ainda procura?',
    }
    expect(await agency.asAna.call('/api/messages/text', before)).toMatchObject({
      status: 404,
      body: { error: { code: 'lead.unknown' } },
    })
    const noted = await agency.asAna.call('/rest/v1/rpc/save_lead_notes', {
      p_contact_id: zuleica.contactId,
      p_number_lead: ZULEICA.number,
      p_broker_name: agency.ana.instanceName,
      p_notes: 'Quer varanda',
      p_base_notes: '',
      p_operation_id: randomUUID(),
    })
    expect(noted.body).toMatchObject({ code: 'unknown_lead' })
  })

  test('by a contact with only a hidden id', async () => {
    const lid = '55443322110099@lid'
    await agency.tell(agency.bia, wrote({ key: { remoteJid: lid }, message: { conversation: 'Sem número' } }))
    const { rows } = await db.query<{ contact_id: number }>(
      `select contact_id from whatsapp_messages where body = 'Sem número'`,
    )
    const who = { contactId: rows[0]?.contact_id ?? 0 }
    expect((await find(who)).leads).toMatchObject([{ number: null, messages: 1 }])
    expect((await ask('erase', { ...who, operationId: randomUUID() })).status).toBe(200)
    expect((await find(who)).leads).toEqual([])
    expect((await reported())[0]).toBe('Excluiu todos os dados de uma pessoa: 1 contato, 1 mensagem')
  })
})
