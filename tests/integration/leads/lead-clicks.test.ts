// Click ids of advertisements: stored from forms and messages, read by administrators and the lead's own broker, and
// never by a gerente.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onBehalf, type Claims } from '#server/db/as-user.ts'
import { toNewLead } from '#server/leads/intake/new-lead.ts'
import type { SqlValue } from '#server/db/database.ts'
import { asking, makeContact, makeMessage, makeTeam, signInManager } from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, asAna, asBia, asAdmin } = await openStaff()
const { db } = base
const gerente = await signInManager(db, await makeTeam(db, { brokers: [ana] }))

const ask = asking(db)
const clicksOf = async (id: number) =>
  (
    await db.query<{ click: string }>(
      `select kind || ' ' || value as click from portal.lead_clicks where contact_id = $1 order by 1`,
      [id],
    )
  ).rows.map(({ click }) => click)

async function key(kind: string): Promise<string> {
  const id = randomUUID()
  await db.query(
    `insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     values ($1, $2, 'Fonte', sha256(convert_to($3, 'utf8')), 60, 'admin', now())`,
    [id, kind, id],
  )
  return id
}

async function send(
  kind: string,
  number: string,
  others: Record<string, unknown>,
  externalId?: string,
  campaign?: string,
) {
  const lead = toNewLead(
    { phones: [number], externalId, campaign, others },
    {},
    Date.parse('2026-11-20T12:00:00Z'),
  )
  const { rows } = await db.query<{ id: number }>(
    `select (portal.take_lead($1, $2::jsonb, '2026-11-20T12:00:00Z') ->> 'contactId')::bigint as id`,
    [await key(kind), JSON.stringify(lead)],
  )
  return rows[0]!.id
}

const learn = (id: number, ad: object) =>
  db.query('select portal.learn_of_contact($1, $2, $3::jsonb)', [
    id,
    ana.instanceName,
    JSON.stringify({
      ad: { source: 'instagram', title: 'Torre', adId: '1', link: null, clickId: 'ARAk-whole', ...ad },
    }),
  ])

test('a form’s click ids are kept as they came, in its fields or in the address of its page', async () => {
  const long = `IwAR${'x'.repeat(494)}_9`
  const id = await send('form', '+5511955501001', {
    fbclid: long,
    GCLID: 'Cj0KCQ-a_B',
    page_url: 'https://site.example/p?utm_source=g&wbraid=W-1&gclid=other#top',
    referrer: 'texto com ?gclid=nada',
  })
  expect(await clicksOf(id)).toEqual([`fbclid ${long}`, 'gclid Cj0KCQ-a_B', 'wbraid W-1'])
})

test('Meta’s form has its own id; another source’s id is none', async () => {
  expect(await clicksOf(await send('meta', '+5511955501002', {}, '1234567890123456'))).toEqual([
    'lead_id 1234567890123456',
  ])
  expect(await clicksOf(await send('olx', '+5511955501003', {}, '1234567890123457'))).toEqual([])
})

/** Click ids that are hidden in a nested object, an encoded URL, and cookies of Meta and Google. */
const HIDDEN = {
  tracking: { first: [{ gclid: 'G9-nested' }] },
  hidden: '{"click": {"gbraid": "G9-text"}}',
  pagina: 'https://a.example/?u=https%3A%2F%2Fs.example%2F%3Fwbraid%3DG9-coded',
  _fbc: 'fb.1.1795000000000.F9-cookie',
  _gcl_aw: 'GCL.1795000000.G9-cookie',
}

test('click ids are found at any depth of a form, in coded addresses and in cookies', async () => {
  expect(await clicksOf(await send('form', '+5511955501006', HIDDEN))).toEqual([
    'fbclid F9-cookie',
    'gbraid G9-text',
    'gclid G9-nested',
    'wbraid G9-coded',
  ])
  const { _gcl_aw } = HIDDEN
  expect(await clicksOf(await send('form', '+5511955501007', { _gcl_aw }))).toEqual(['gclid G9-cookie'])
})

/** 6,000 bytes that do not compress, so no index could hold them. */
const FOREIGN = String.fromCodePoint(
  ...Array.from({ length: 2_000 }, (_, n) => 0x4e_00 + ((n * 7_919) % 20_000)),
)

test.each([FOREIGN, 'x'.repeat(501), 'a b', 'é', '"G9"'])(
  'a lead with a click id that is none is made without it',
  async (none) => {
    expect(await clicksOf(await send('form', '+5511955501008', { fbclid: none, gclid: 'Cj0-1' }))).toEqual([
      'gclid Cj0-1',
    ])
    const { id } = await makeContact(db, ana.instanceName, { source: 'whatsapp' })
    await learn(id, { clickId: none })
    expect(await clicksOf(id)).toEqual([])
    expect(
      (await db.query('select ad from public.whatsapp_contacts where id = $1', [id])).rows,
    ).toMatchObject([{ ad: { title: 'Torre' } }])
    await expect(
      db.query(
        `insert into portal.lead_clicks (contact_id, kind, value, at) values ($1, 'fbclid', $2, now())`,
        [id, FOREIGN],
      ),
    ).rejects.toThrow('lead_clicks_value')
  },
)

test('an empty or endless id is not kept, and not more than some', async () => {
  const id = await send('form', '+5511955501004', { gclid: '  ' })
  expect(await clicksOf(id)).toEqual([])
  for (let count = 0; count < 25; count++)
    await db.query('select portal.keep_clicks($1, $2::jsonb, now())', [
      id,
      JSON.stringify({ gclid: `G${count}` }),
    ])
  await db.query('select portal.keep_clicks($1, $2::jsonb, now())', [
    id,
    JSON.stringify({ fbclid: 'x'.repeat(501) }),
  ])
  expect(await clicksOf(id)).toHaveLength(20)
})

async function adLead(link: string | null = null) {
  const { id } = await makeContact(db, ana.instanceName, { source: 'whatsapp' })
  await learn(id, { link })
  return id
}

test('the click of a WhatsApp ad is in no row that a gerente reads; broker and administrator see it', async () => {
  const id = await adLead()
  expect(await clicksOf(id)).toEqual(['ctwa_clid ARAk-whole'])
  const sheetOf = (who: Claims) =>
    ask<{ ad: { title: string; clickId: string | null } }>(who, 'public.lead_sheet($1)', [id])
  expect((await sheetOf(asAdmin)).ad).toMatchObject({ title: 'Torre', clickId: 'ARAk-whole' })
  expect((await sheetOf(asAna)).ad.clickId).toBe('ARAk-whole')
  expect((await sheetOf(gerente)).ad).toEqual({
    source: 'instagram',
    title: 'Torre',
    adId: '1',
    link: null,
    clickId: null,
  })
  const row = await ask<string>(
    gerente,
    `(select to_jsonb(c)::text from public.whatsapp_contacts c where c.id = $1)`,
    [id],
  )
  expect(row).toContain('Torre')
  expect(row).not.toContain('ARAk-whole')
})

test('a gerente reads the form’s other fields only', async () => {
  const site = 'https://s.example/'
  const given = { quartos: '3', gclid: 'G9', pagina: `${site}?gclid=G9`, site }
  const id = await send('form', '+5511955501005', given)
  await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    id,
    ana.instanceName,
  ])
  expect(await fieldsFor(asAna, id)).toEqual([given])
  expect(await fieldsFor(gerente, id)).toEqual([{ quartos: '3', site }])
})

async function fieldsFor(who: Claims, id: number) {
  const { rows } = await onBehalf(db, who, (query) =>
    query<{ answer: { intakes: { fields: object }[] }[] }>('select portal.my_lead_history($1) as answer', [
      id,
    ]),
  )
  return rows[0]!.answer.flatMap(({ intakes }) => intakes.map(({ fields }) => fields))
}

test('no disguise of a click id reaches a gerente; words that only resemble one do', async () => {
  const plain = {
    autor: 'Euclides da Cunha',
    bloco: 'G8',
    cor: '100% gás',
    site: 'https://s.example/?utm_source=google&preco=50%25',
  }
  const id = await send('form', '+5511955501009', {
    ...HIDDEN,
    ...plain,
    lista: [{ name: 'ttclid', value: 'G9-list' }],
    'utm[gclid]': 'G9-bracket',
    twice: 'https%253A%252F%252Fs.example%252F%253Fgcl%2569d%253DG9',
    escaped: String.raw`{"\u0067clid":"G9"}`,
    Fbc: 'F9',
    _fbp: 'fb.1.1795000000000.F9',
    cookies: 'a=1; FPGCLAW=2.1.kG9; b=2',
    valor: 'fb.2.1795000000000.F9',
    anuncio: 'GCL.1795000000.G9',
    ctwaClid: 'G9',
    GBRAID: 'G9',
    wbraid: 'G9',
    clique: 'codigo F9-cookie',
    codigo: 'https://s.example/c/F9%2Dcookie',
  })
  await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    id,
    ana.instanceName,
  ])
  expect(JSON.stringify(await fieldsFor(asAna, id))).toContain('G9')
  const read = await fieldsFor(gerente, id)
  expect(read).toEqual([plain])
  expect(JSON.stringify(read)).not.toMatch(/G9|F9/)
})

test.each([
  ['https://fb.me/3Torre?fbclid=F9', 'https://fb.me/3Torre'],
  ['https://l.facebook.com/l.php?u=https%3A%2F%2Fs%2F%3Fgclid%3DG9', 'https://l.facebook.com/l.php'],
  ['https://s.example/#gclid=G9', 'https://s.example/'],
  ['https://s.example/a?c=ARAk-whole', 'https://s.example/a'],
  ['https://s.example/ARAk-whole/a', null],
  ['https://s.example/gclid=G9', null],
  [
    'https://facebook.com/permalink.php?story_fbid=1&id=2',
    'https://facebook.com/permalink.php?story_fbid=1&id=2',
  ],
])('the link of a WhatsApp ad is kept without click ids: %s', async (link, kept) => {
  const id = await adLead(link)
  const sheet = await ask<{ ad: { link: string | null } }>(gerente, 'public.lead_sheet($1)', [id])
  expect(sheet.ad.link).toBe(kept)
  const row = await ask<object>(
    gerente,
    '(select to_jsonb(c) from public.whatsapp_contacts c where c.id = $1)',
    [id],
  )
  expect(row).toMatchObject({ ad: { link: kept } })
  expect(JSON.stringify([sheet, row])).not.toMatch(/G9|F9|ARAk/)
})

test.each([
  ['https://s.example/?utm_campaign=torre&fbclid=G9-x', 'https://s.example/?utm_campaign=torre'],
  ['https://s.example/?gclid=G9-x&utm_campaign=torre', 'https://s.example/?utm_campaign=torre'],
  ['https://s.example/?gclid=G9-x&fbclid=G9-y', 'https://s.example/'],
  ['https%3A%2F%2Fs.example%2F%3Fgclid%3DG9-x%26utm%3D1', 'https%3A%2F%2Fs.example%2F%3Futm%3D1'],
  ['https%3A%2F%2Fs.example%2F%3Futm%3D1%26wbraid%3DG9-x', 'https%3A%2F%2Fs.example%2F%3Futm%3D1'],
  ['Torre Norte ctwa_clid: G9-x', 'Torre Norte'],
  ['Torre | _fbc=fb.1.1795000000000.G9-x', 'Torre'],
  ['Torre GCL.1795000000.G9-x', 'Torre'],
  ['GCLID=G9-x', null],
  ['Quer morar bem? Euclides: fase 2 & 3;', 'Quer morar bem? Euclides: fase 2 & 3;'],
  ['Conversões gclid', 'Conversões gclid'],
  ['Cj0KCQiA5NSdBhDfARIsALzs2EDdg8-3Z7yS8Z', null],
  ['EAIaIQobChMI8Zq_9Y-G9wIVk4fVCh0', null],
  [' IwAR2kZ0v8F4n1Q9xT7bC3mLpD5', null],
  ['IwY2xjawE0aGVleHRuA2FlbQIxMAABHQ', null],
  ['ARAkLkA8rmlFeiCktEJQ-QTwRiyYHAFDLMNDBH0CD3qpjd0HR4irJ6LEkR7JwFF4', null],
  ['0AAAAAo4mICHyXpQ9bWc2Zk0', null],
  ['5d1f6e2a9c384b70a1e2f3c4d5b60718', null],
  ['20000000001', '20000000001'],
  ['LancamentoMiranteDoLagoNovembro2026', 'LancamentoMiranteDoLagoNovembro2026'],
  ['ARARAQUARA-LANCAMENTO-NOVEMBRO-RESIDENCIAL-2026', 'ARARAQUARA-LANCAMENTO-NOVEMBRO-RESIDENCIAL-2026'],
  ['Cj Torre IwAR', 'Cj Torre IwAR'],
])('a campaign’s name is kept without click ids: %s', async (name, kept) => {
  const { rows } = await db.query<{ bare: string | null }>('select portal.bare_campaign($1) as bare', [name])
  expect(rows).toEqual([{ bare: kept }])
})

test('a click id within the campaign’s name reaches no gerente, however it came; nor does it make two campaigns of one', async () => {
  const named = (id: string) => `https://s.example/?utm_campaign=norte&fbclid=G9-${id}xxxxxx`
  const form = await send('form', '+5511955501010', {}, undefined, named('form'))
  expect(await clicksOf(form)).toEqual(['fbclid G9-formxxxxxx'])
  await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
    form,
    ana.instanceName,
  ])
  const lead = async (columns: Record<string, SqlValue> = {}) => {
    const { id } = await makeContact(db, ana.instanceName, { source: 'form', ...columns })
    await makeMessage(db, id, { timestamp: Date.parse('2026-11-20T12:00:00Z') / 1000 })
    return id
  }
  const [stored, typed] = [await lead({ campaign: named('row') }), await lead()]
  await ask(asAna, 'public.lead_fields($1, $2::jsonb)', [typed, JSON.stringify({ campaign: named('hand') })])
  const lines = await ask<{
    origins: { origin: string; campaigns: { campaign: string; leads: number }[] }[]
  }>(gerente, `public.get_origins('2026-11-01')`)
  const name = 'https://s.example/?utm_campaign=norte'
  expect(lines.origins.flatMap(({ campaigns }) => campaigns)).toContainEqual(
    expect.objectContaining({ campaign: name, name, leads: 3 }),
  )
  const seen = [
    lines,
    await ask(gerente, `public.get_origin_leads('leads', '2026-11-01', null, $1)`, [name]),
    await onBehalf(db, gerente, (query) => query('select portal.my_lead_history($1) as answer', [form])),
  ]
  for (const id of [form, stored, typed])
    seen.push(
      await ask(gerente, 'public.lead_sheet($1)', [id]),
      await ask(gerente, '(select to_jsonb(c) from public.whatsapp_contacts c where c.id = $1)', [id]),
    )
  expect(JSON.stringify(seen)).toContain('utm_campaign=norte')
  expect(JSON.stringify(seen)).not.toContain('G9')
})

test('a campaign that is only a click id is none, whether its form or a later click says so', async () => {
  const campaignOf = async (id: number) =>
    (
      await db.query<{ campaign: string | null }>(
        'select campaign from public.whatsapp_contacts where id = $1',
        [id],
      )
    ).rows[0]!.campaign
  const [shaped, own] = ['Cj0KCQiA5NSdBhDfARIsALzs2EDdg8-3Z7yS8Z', 'clique-sem-forma-0123456789']
  const byShape = await send('form', '+5511955501021', {}, undefined, shaped)
  const byField = await send('form', '+5511955501022', { gclid: own }, undefined, own)
  const again = await send('form', '+5511955501022', { gclid: own, quartos: '3' }, undefined, own)
  const within = await send('form', '+5511955501023', { gclid: own }, undefined, `Torre | ${own}`)
  const { id: stored } = await makeContact(db, ana.instanceName, { source: 'form', campaign: own })
  await db.query('select portal.keep_clicks($1, $2::jsonb, now())', [stored, JSON.stringify({ fbclid: own })])
  await db.query('update public.whatsapp_contacts set campaign = $2 where id = $1', [stored, own])
  // A stranger's word takes nothing from a name.
  const word = await send('form', '+5511955501025', { gclid: 'Lancamento' }, undefined, 'Lancamento')
  // Meta's id of a form is no click, so a campaign may have the same number.
  const number = '1234567890123999'
  const numbered = await send('meta', '+5511955501024', {}, number, number)
  expect(again).toBe(byField)
  const campaigns = []
  for (const id of [byShape, byField, within, stored, word, numbered]) campaigns.push(await campaignOf(id))
  expect(campaigns).toEqual([null, null, 'Torre', null, 'Lancamento', number])
  const seen = await ask<object>(asAdmin, `public.get_origins('2026-11-01')`)
  expect(JSON.stringify(seen)).not.toMatch(/clique-sem-forma|Cj0KCQ/)
  await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = any ($1)', [
    [byShape, byField, within].map(String),
    ana.instanceName,
  ])
  for (const id of [byShape, byField, within]) {
    const history = await onBehalf(db, gerente, (query) =>
      query('select portal.my_lead_history($1) as answer', [id]),
    )
    expect(JSON.stringify(history)).not.toMatch(/clique-sem-forma|Cj0KCQ/)
  }
})

test('two leads that become one keep the clicks of both', async () => {
  const [kept, gone] = [await adLead(), await makeContact(db, ana.instanceName)]
  await db.query('select portal.keep_clicks($1, $2::jsonb, now())', [
    gone.id,
    JSON.stringify({ gclid: 'G1' }),
  ])
  await db.query('select portal.merge_contacts($1, $2)', [kept, gone.id])
  expect(await clicksOf(kept)).toEqual(['ctwa_clid ARAk-whole', 'gclid G1'])
})

test('the month’s codes are an administrator’s alone', async () => {
  const { count, clicks } = await ask<{ count: number; clicks: { kind: string; value: string }[] }>(
    asAdmin,
    `public.get_click_codes('2026-11-01')`,
  )
  expect(clicks).toHaveLength(count)
  expect(clicks.map(({ kind }) => kind)).not.toContain('lead_id')
  expect(clicks.map(({ value }) => value)).toContain('Cj0KCQ-a_B')
  for (const who of [gerente, asAna, asBia])
    await expect(ask(who, `public.get_click_codes('2026-11-01')`)).rejects.toThrow('administrador')
})
