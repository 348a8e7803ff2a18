// Senders that are no leads: the broker's own number, the agency's other phones, machines. None is on a board; every
// other person is.
import { afterAll, afterEach, describe, expect, it, test } from 'vitest'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { openBase } from '#tests/support/database.ts'
import { ANA, ANA_LID, messageData, NOON, upsert } from '#tests/support/deliveries.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import { addInstance, clearState, INSTANCE, openWebhook } from '#tests/support/webhook.ts'

const OTHER = 'corretor_bia'
const OWN = '5511970000001@s.whatsapp.net'
const OWN_LID = '11122233344455@lid'
const BIA = '5511970000002@s.whatsapp.net'
const BIA_LID = '22233344455566@lid'

const base = await openBase()
await addInstance(base.db, OTHER)
const webhook = await openWebhook(base.db)
const otherAddress = `/${OTHER}/${await mintWebhookSecret(base.db.query, OTHER)}`
afterEach(() => clearState(base.db))
afterAll(() => webhook.close())

type Key = Record<string, unknown>
type Written = { key: Key; id: string; fromMe?: boolean; message?: unknown; sentAt?: number; rest?: Key }

/** The phone has always been this instance's, so the whole store belongs to it. */
const link = async (instanceName: string, ownerJid: string) => {
  await base.db.query(
    `insert into portal.instance_states ("instanceName", state, owner_jid) values ($1, 'open', $2)
    on conflict ("instanceName") do update set owner_jid = excluded.owner_jid`,
    [instanceName, ownerJid],
  )
  await base.db.exec('update portal.instance_sweeps set read_from = null')
}
/** Delivers messages to the first broker's webhook and applies them. */
const report = (...written: Written[]) =>
  webhook.take(written.map((one) => ({ ...upsert(one), sender: OWN })))
const reportToOther = async (...written: Written[]) => {
  for (const one of written) await webhook.send({ ...upsert(one), sender: BIA }, otherAddress)
  await webhook.drained()
}
/** Read from the gateway's store. */
const readBack = (instanceName: string, ...written: Written[]) =>
  webhook.ingestRecords({
    instanceName,
    records: written.map((one) => messageData(one) as never),
    atMs: NOON * 1000,
  })
const cards = async () =>
  (
    await base.db.query<{ instanceName: string; number: string | null; jids: string[] }>(
      `select c."instanceName", c.number, array(
        select i.jid from portal.identities i where i.person_id = c.person_id and i."instanceName" = c."instanceName" order by 1) as jids
      from public.whatsapp_contacts c order by c.id`,
    )
  ).rows

describe('a note to oneself', () => {
  it.each<[string, Key]>([
    ['the own phone', { remoteJid: OWN }],
    ['with a device', { remoteJid: '5511970000001:12@s.whatsapp.net' }],
    ['without the ninth digit', { remoteJid: '551170000001@s.whatsapp.net', remoteJidAlt: OWN }],
    ['the own phone twice, as 2.3.7 reports it', { remoteJid: OWN, remoteJidAlt: OWN }],
    ['the own hidden id with the phone, as the store has it', { remoteJid: OWN_LID, remoteJidAlt: OWN }],
    ['the phone with the own hidden id, as 2.4 has it', { remoteJid: OWN, remoteJidAlt: OWN_LID }],
    ['with senderPn', { remoteJid: OWN_LID, senderPn: OWN }],
  ])('%s: no card, neither by webhook nor by reading back', async (_, key) => {
    await link(INSTANCE, OWN)
    await report({ id: 'N1', key, fromMe: true })
    expect(await readBack(INSTANCE, { id: 'N2', key, fromMe: true })).toBe(0)
    expect(await cards()).toEqual([])
  })

  it('under the hidden id alone once a key contained both, also after linking again', async () => {
    await link(INSTANCE, OWN)
    await report({ id: 'N1', key: { remoteJid: OWN, remoteJidAlt: OWN }, fromMe: true })
    await readBack(INSTANCE, { id: 'N1', key: { remoteJid: OWN_LID, remoteJidAlt: OWN }, fromMe: true })
    await base.db.query(`update portal.instance_states set state = 'close'`)
    await base.db.query(`update portal.instance_states set state = 'open', qr_received_at = now()`)
    await report({ id: 'N3', key: { remoteJid: OWN_LID }, fromMe: true })
    await readBack(INSTANCE, { id: 'N4', key: { remoteJid: OWN_LID }, fromMe: true })
    expect(await cards()).toEqual([])
  })

  it('that made a card before the proof removes the card', async () => {
    await link(INSTANCE, OWN)
    await report({ id: 'N1', key: { remoteJid: OWN_LID }, fromMe: true })
    expect(await cards()).toHaveLength(1)
    await readBack(INSTANCE, { id: 'N2', key: { remoteJid: OWN_LID, remoteJidAlt: OWN }, fromMe: true })
    expect(await cards()).toEqual([])
  })

  it('another phone has another hidden id', async () => {
    await link(INSTANCE, OWN)
    await report({ id: 'N1', key: { remoteJid: OWN_LID, remoteJidAlt: OWN }, fromMe: true })
    await link(INSTANCE, '5521988887777@s.whatsapp.net')
    const { rows } = await base.db.query('select address from portal.own_addresses')
    expect(rows).toEqual([{ address: '+552188887777' }])
  })
})

describe('a person is never mistaken for oneself', () => {
  it('while the own phone is not known yet', async () => {
    await webhook.take([{ ...upsert({ id: 'A', key: { remoteJid: ANA_LID }, fromMe: true }), sender: null }])
    expect(await cards()).toHaveLength(1)
    const { rows } = await base.db.query('select from portal.own_addresses')
    expect(rows).toEqual([])
  })

  it('a sender before our own message that names our phone beside the hidden id', async () => {
    await link(INSTANCE, OWN)
    await report(
      { id: 'A', key: { remoteJid: ANA_LID } },
      { id: 'B', key: { remoteJid: ANA_LID, remoteJidAlt: OWN }, fromMe: true },
    )
    const { rows } = await base.db.query('select message_id from public.whatsapp_messages order by 1')
    expect(rows).toEqual([{ message_id: 'A' }, { message_id: 'B' }])
  })

  it('a sender after it: the hidden id is forgotten', async () => {
    await link(INSTANCE, OWN)
    await report(
      { id: 'B', key: { remoteJid: ANA_LID, remoteJidAlt: OWN }, fromMe: true },
      { id: 'A', key: { remoteJid: ANA, remoteJidAlt: ANA_LID } },
      { id: 'C', key: { remoteJid: ANA_LID, remoteJidAlt: OWN }, fromMe: true },
    )
    expect(await cards()).toEqual([{ instanceName: INSTANCE, number: '5511987654321', jids: [ANA, ANA_LID] }])
    const { rows } = await base.db.query('select message_id from public.whatsapp_messages order by 1')
    expect(rows).toEqual([{ message_id: 'A' }, { message_id: 'C' }])
  })
})

describe('two phones of the agency', () => {
  const both: [string, Key, Key][] = [
    ['by phone', { remoteJid: BIA }, { remoteJid: OWN }],
    [
      'by hidden id and phone',
      { remoteJid: BIA_LID, remoteJidAlt: BIA },
      { remoteJid: OWN_LID, senderPn: OWN },
    ],
    [
      'by phone and hidden id',
      { remoteJid: BIA, remoteJidAlt: BIA_LID },
      { remoteJid: OWN, remoteJidAlt: OWN_LID },
    ],
  ]
  it.each(both)('%s: no lead on either side', async (_, toBia, fromOwn) => {
    await link(INSTANCE, OWN)
    await link(OTHER, BIA)
    await report({ id: 'A', key: toBia, fromMe: true }, { id: 'B', key: toBia })
    await reportToOther({ id: 'A', key: fromOwn }, { id: 'B', key: fromOwn, fromMe: true })
    await readBack(INSTANCE, { id: 'C', key: toBia })
    // Proven above, so the hidden id alone is enough.
    if ('remoteJidAlt' in toBia) await report({ id: 'D', key: { remoteJid: BIA_LID } })
    expect(await cards()).toEqual([])
  })

  it('a hidden card is removed once it is proven to be a colleague', async () => {
    await link(INSTANCE, OWN)
    await link(OTHER, BIA)
    await report({ id: 'A', key: { remoteJid: BIA_LID } })
    expect(await cards()).toHaveLength(1)
    await report({ id: 'B', key: { remoteJid: BIA_LID, remoteJidAlt: BIA } })
    expect(await cards()).toEqual([])
  })

  it('a real lead with such a number keeps its messages', async () => {
    await link(INSTANCE, OWN)
    await link(OTHER, BIA)
    await base.db.query(
      `insert into public.whatsapp_contacts ("instanceName", number, source) values ($1, '5511970000002', 'indicacao')`,
      [INSTANCE],
    )
    await report({ id: 'A', key: { remoteJid: BIA } })
    const { rows } = await base.db.query('select message_id from public.whatsapp_messages')
    expect(rows).toEqual([{ message_id: 'A' }])
  })
})

const CODE = {
  templateMessage: {
    hydratedTemplate: {
      hydratedContentText: '123456 é o seu código.',
      hydratedButtons: [
        {
          urlButton: {
            displayText: 'Copiar código',
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE',
          },
        },
      ],
    },
  },
}

describe('machines', () => {
  it.each<[string, Omit<Written, 'id'>]>([
    ['Meta AI', { key: { remoteJid: '13135550002@s.whatsapp.net' } }],
    [
      'Meta AI behind a hidden id',
      { key: { remoteJid: '55566677788899@lid', remoteJidAlt: '13135550002@s.whatsapp.net' } },
    ],
    ['another bot of Meta', { key: { remoteJid: '13135559876@s.whatsapp.net' } }],
    ['a bot address', { key: { remoteJid: '867051314767696@bot' } }],
    ['WhatsApp itself', { key: { remoteJid: '0@s.whatsapp.net' } }],
    ['the account of WhatsApp Business', { key: { remoteJid: '16505361212@s.whatsapp.net' } }],
    ['a bank at 4004', { key: { remoteJid: '5540041234@s.whatsapp.net' } }],
    ['a bank at 0800', { key: { remoteJid: '558007280728@s.whatsapp.net' } }],
    ['a sign-in code', { key: { remoteJid: ANA }, message: CODE }],
    ['a company through its platform', { key: { remoteJid: ANA }, rest: { bizPrivacyStatus: 'BSP' } }],
  ])('%s: never a lead, in either direction', async (_, written) => {
    await report({ id: 'A', ...written })
    await readBack(INSTANCE, { id: 'B', ...written })
    expect(await cards()).toEqual([])
    expect(await webhook.counts()).toEqual({ waiting: 0, setAside: 0 })
  })

  it('a sign-in code from somebody with a card is stored there', async () => {
    await report({ id: 'A', key: { remoteJid: ANA } }, { id: 'B', key: { remoteJid: ANA }, message: CODE })
    const { rows } = await base.db.query('select message_id from public.whatsapp_messages order by 1')
    expect(rows).toEqual([{ message_id: 'A' }, { message_id: 'B' }])
  })

  it('a number with the same digits elsewhere is a person', async () => {
    await report({ id: 'A', key: { remoteJid: '5513135550002@s.whatsapp.net' } })
    expect(await cards()).toHaveLength(1)
  })
})

/** Random numbers that the seed decides. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('random conversations make leads of exactly those who are leads', async () => {
  await link(INSTANCE, OWN)
  await link(OTHER, BIA)
  const pick = random(51)
  const count = byTier(20, 2_000)
  const people = new Set<string>()
  for (let at = 0; at < count; at++) {
    const phone = `55119${String(60_000_000 + at)}@s.whatsapp.net`
    const lid = `7000000${String(at).padStart(7, '0')}@lid`
    const kind = pick(4)
    const shapes = (of: string, hidden: string): Key[] => [
      { remoteJid: of },
      { remoteJid: of, remoteJidAlt: of },
      { remoteJid: hidden, remoteJidAlt: of },
      { remoteJid: of, remoteJidAlt: hidden },
      { remoteJid: hidden, senderPn: of },
    ]
    const some = (keys: Key[]) => keys[pick(keys.length)] ?? {}
    const id = (n: number) => `R${at}-${n}`
    const written: Written[] = []
    if (kind === 0) {
      people.add(phone)
      written.push({ id: id(0), key: some([...shapes(phone, lid), { remoteJid: lid }]) })
      written.push({
        id: id(1),
        key: some([{ remoteJid: phone }, { remoteJid: lid, remoteJidAlt: OWN }]),
        fromMe: true,
      })
      written.push({ id: id(2), key: { remoteJid: lid, remoteJidAlt: phone } })
    } else if (kind === 1)
      for (let n = 0; n < 3; n++) written.push({ id: id(n), key: some(shapes(OWN, OWN_LID)), fromMe: true })
    else if (kind === 2)
      for (let n = 0; n < 3; n++)
        written.push({ id: id(n), key: some(shapes(BIA, BIA_LID)), fromMe: pick(2) === 0 })
    else
      written.push({
        id: id(0),
        key: some(shapes(`1313555${1_000 + pick(9_000)}@s.whatsapp.net`, lid)),
        fromMe: pick(3) === 0,
      })
    if (pick(3) === 0) await readBack(INSTANCE, ...written.toReversed())
    else await report(...written)
    if (pick(5) === 0) await readBack(INSTANCE, ...written)
  }
  const made = await cards()
  const strangers = made.filter(({ jids }) => !jids.some((jid) => people.has(jid)))
  expect(strangers).toEqual([])
  expect(made.length).toBe(people.size)
}, 600_000)
