// Messages found by the beginnings of their words: accents, who may find what, what is gone, pages, and the index.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasWords, plainWords, searchWords } from '#domain/message/found.ts'
import type { Claims } from '#server/db/as-user.ts'
import { onBehalf } from '#server/db/as-user.ts'
import { makeContact, makeMessage, makeTeam, signInManager } from '#tests/support/make.ts'
import { byTier, isDeepRun } from '#tests/support/runner/tier.ts'
import { openStaff } from '#tests/support/staff.ts'

type Found = {
  messages: { id: number; contact_id: number; name: string | null; body: string; timestamp: number }[]
  until: number | null
}

let staff: Awaited<ReturnType<typeof openStaff>>
let asManager: Claims
beforeAll(async () => {
  staff = await openStaff()
  const { db } = staff.base
  const team = await makeTeam(db, { brokers: [staff.ana] })
  asManager = await signInManager(db, team)
})

async function search(
  claims: Claims,
  query: string,
  { brokers = null, before = null }: { brokers?: string[] | null; before?: number | null } = {},
): Promise<Found> {
  const { rows } = await onBehalf(staff.base.db, claims, (ask) =>
    ask<{ found: Found }>('select public.search_messages($1, $2, $3) as found', [query, brokers, before]),
  )
  return rows[0]!.found
}
const bodiesOf = ({ messages }: Found) => messages.map(({ body }) => body)

const now = () => Math.floor(Date.UTC(2026, 10, 29) / 1000)

describe('words', () => {
  const TEXTS = [
    'Ação, coração e À VISTA',
    'a\u0300 vista: Sa\u0301bado',
    'Vila Olímpia/Itaim-Bibi',
    'R$ 850.000,00 (à vista)',
    '3ª vaga nº 12, ½ banheiro',
    'joao.silva@exemplo.com.br',
    'https://exemplo.com/apartamento?id=7',
    'ótimo👍🏽obrigado 😀',
    'linha\num\t\tdois\u00a0três',
    '“aspas” – travessão… ok',
    'Ångström ñandú über façade',
    'ﬁnanciamento Ⅳ',
    '   ',
    '漢字 テスト',
    'x'.repeat(100),
  ]

  test('the database splits a text as the app does', async () => {
    const { rows } = await staff.base.db.query<{ words: string }>(
      'select portal.plain_words(t) as words from unnest($1::text[]) with ordinality u (t, n) order by n',
      [TEXTS],
    )
    expect(rows.map(({ words }) => words)).toEqual(TEXTS.map(plainWords))
  })

  test('the index has each word once, cut at 60 characters, and the period', async () => {
    const texts = [...TEXTS, 'sim sim não Sim', `${'á'.repeat(61)} ${'á'.repeat(60)} ${'𠀋'.repeat(70)} fim`]
    const { rows } = await staff.base.db.query<{ terms: string[] }>(
      `select tsvector_to_array(portal.message_terms(t, 5184000)) as terms
      from unnest($1::text[]) with ordinality u (t, n) order by n`,
      [texts],
    )
    const cut = (word: string) => Array.from(word).slice(0, 60).join('')
    const words = (text: string) => plainWords(text).split(' ').filter(Boolean).map(cut)
    expect(rows.map(({ terms }) => new Set(terms))).toEqual(
      texts.map((text) => new Set([...words(text), '#2'])),
    )
  })

  const CASES: readonly [body: string, query: string, isFound: boolean][] = [
    ['Quero visitar no sábado', 'sabado', true],
    ['Quero visitar no sabado', 'Sábado', true],
    ['Quero visitar no Sa\u0301bado', 'SÁBADO', true],
    ['Quero visitar no sábado', 'vis sab', true],
    ['Quero visitar no sábado', 'sab vis', true],
    ['Quero visitar no sábado', 'sitar', false],
    ['Quero visitar no sábado', 'visitar domingo', false],
    ['Fica na Vila Olímpia/Itaim-Bibi', 'itaim', true],
    ['Custa R$ 850.000,00', '850', true],
    ['Meu e-mail: joao.silva@exemplo.com.br', 'silva', true],
    ['coração', 'coracao', true],
    ['ótimo👍obrigado', 'obrig', true],
    ["d'água & cia: 'ponto' | \\ :* !", "água :* | !'", true],
    ['FGTS e ação', "acao' | 'nada", false],
    ['Fica a 2 km do centro', 'centro 2 km', true],
    ['Fica a 25 minutos do centro', 'centro 2', false],
    ['Fica na Vila Olímpia', 'vila o', false],
    ['Vai à Vila', 'VILA À', true],
    ['Vila 𠀋 e 𠀋𠀋𠀋', 'vila 𠀋', true],
    ['Vila 𠀋𠀋𠀋', 'vila 𠀋𠀋', false],
    ['um imóvel com varanda, churrasqueira, piscina', 'um imovel com varanda churras pisc xx', true],
  ]

  test.each(CASES)('%s, asked for %s: %s', async (body, query, isFound) => {
    const { db } = staff.base
    const { id: contactId } = await makeContact(db, staff.ana.instanceName)
    const { id } = await makeMessage(db, contactId, { body, timestamp: now() })
    const { messages } = await search(staff.asAna, query)
    expect(messages.some((message) => message.id === id)).toBe(isFound)
    expect(hasWords(body, searchWords(query) ?? [])).toBe(isFound)
  })

  const QUERIES = [
    ...TEXTS,
    ...CASES.map(([, query]) => query),
    'Casa com três quartos na Vila Olímpia perto do metrô',
    'aaa bbb ccc ddd eee fff ggg',
    '𠀋 𠀋𠀋 𠀋𠀋𠀋',
    `${'😀'.repeat(190)} vila olimpia`,
    'varanda '.repeat(40),
  ]

  test('of a query the database looks for the words that the app looks for', async () => {
    const { rows } = await staff.base.db.query<{ words: string[] | null }>(
      `select string_to_array(replace(replace(portal.search_terms(q), ':*', ''), '''', ''), ' & ') as words
      from unnest($1::text[]) with ordinality u (q, n) order by n`,
      [QUERIES],
    )
    expect(rows.map(({ words }) => words)).toEqual(QUERIES.map(searchWords))
  })

  test.each(['', '  ', 'de', '𠀋𠀋', 'a b', '!!', '👍'])('%j is too short to search for', async (query) => {
    expect(searchWords(query)).toBe(null)
    expect(await search(staff.asAna, query)).toEqual({ messages: [], until: null })
  })
})

describe('who finds what', () => {
  let mine: number
  let bias: number
  beforeAll(async () => {
    const { db } = staff.base
    mine = (await makeContact(db, staff.ana.instanceName, { name: 'Rute' })).id
    bias = (await makeContact(db, staff.bia.instanceName)).id
    const nobodys = (await makeContact(db, null)).id
    for (const [contact, whose] of [
      [mine, 'Ana'],
      [bias, 'Bia'],
      [nobodys, 'ninguém'],
    ] as const)
      await makeMessage(db, contact, { body: `Jabuticaba de ${whose}`, timestamp: now() })
  })

  const everything = ['Jabuticaba de Ana', 'Jabuticaba de Bia', 'Jabuticaba de ninguém']
  test.each([
    ['a broker: its own leads', () => staff.asAna, null, ['Jabuticaba de Ana']],
    ['a broker who names another: nothing', () => staff.asBia, () => [staff.ana.instanceName], []],
    ['a broker who names nobody’s leads: nothing', () => staff.asBia, () => [''], []],
    ['a gerente: the team’s leads', () => asManager, null, ['Jabuticaba de Ana']],
    ['a gerente who names another team: nothing', () => asManager, () => [staff.bia.instanceName], []],
    ['an administrator: everything', () => staff.asAdmin, null, everything],
    [
      'an administrator, of one broker',
      () => staff.asAdmin,
      () => [staff.bia.instanceName],
      ['Jabuticaba de Bia'],
    ],
    ['an administrator, of nobody', () => staff.asAdmin, () => [''], ['Jabuticaba de ninguém']],
  ] as const)('%s', async (_, who, brokers, expected) => {
    const found = await search(who(), 'jabuti', { brokers: brokers?.() ?? null })
    expect(bodiesOf(found).toSorted()).toEqual([...expected])
  })

  test('a lead that is handed over takes its messages along, those of another number too', async () => {
    const { db } = staff.base
    await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
      mine,
      staff.bia.instanceName,
    ])
    expect(bodiesOf(await search(staff.asAna, 'jabuti'))).toEqual([])
    expect(bodiesOf(await search(staff.asBia, 'jabuti')).toSorted()).toEqual(everything.slice(0, 2))
    await db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
      mine,
      staff.ana.instanceName,
    ])
  })

  test('the lead’s name comes along', async () => {
    expect((await search(staff.asAna, 'jabuti')).messages).toMatchObject([{ name: 'Rute', contact_id: mine }])
  })
})

test('notes, deleted messages and the text before an edit are not found', async () => {
  const { db } = staff.base
  const { id: contact } = await makeContact(db, staff.ana.instanceName)
  const { id } = await makeMessage(db, contact, { body: 'pitangueira', timestamp: now() })
  await makeMessage(db, contact, { body: 'pitangueira', type: 'note', kind: 'note', timestamp: now() })
  expect((await search(staff.asAna, 'pitangueira')).messages).toHaveLength(1)
  await db.query(`update public.whatsapp_messages set body = 'goiabeira' where id = $1`, [id])
  expect((await search(staff.asAna, 'pitangueira')).messages).toEqual([])
  expect((await search(staff.asAna, 'goiab')).messages).toHaveLength(1)
  await db.query(`update public.whatsapp_messages set body = '', kind = 'deleted' where id = $1`, [id])
  expect((await search(staff.asAna, 'goiab')).messages).toEqual([])
})

test('a particular contact and an erased person are found by nobody', async () => {
  const { db } = staff.base
  const [aunt, gone] = [
    await makeContact(db, staff.ana.instanceName),
    await makeContact(db, staff.ana.instanceName),
  ]
  for (const { id } of [aunt, gone]) await makeMessage(db, id, { body: 'carambola', timestamp: now() })
  expect((await search(staff.asAna, 'carambola')).messages).toHaveLength(2)
  await onBehalf(db, staff.asAna, (ask) =>
    ask('select public.lead_private(p_contact_id => $1, p_operation_id => $2)', [aunt.id, randomUUID()]),
  )
  await onBehalf(db, staff.asAdmin, (ask) =>
    ask('select portal.erase_person(null, $1, $2)', [gone.id, randomUUID()]),
  )
  for (const who of [staff.asAna, staff.asAdmin])
    expect((await search(who, 'carambola')).messages).toEqual([])
})

test('pages go back ten years, newest first, without a gap or a repeat', async () => {
  const { db } = staff.base
  const { id: contact } = await makeContact(db, staff.ana.instanceName)
  await db.query(
    `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type)
    select $1, $2, 'old-' || n, 'maracujá número ' || n, $3::bigint - n * 1000000, 'incoming' from generate_series(0, 99) n`,
    [contact, staff.ana.instanceName, now()],
  )
  const ids: number[] = []
  let before: number | null = null
  for (let page = 0; page < 20; page++) {
    const { messages, until }: Found = await search(staff.asAna, 'maracuja num', { before })
    ids.push(...messages.map(({ id }) => id).filter((id) => !ids.includes(id)))
    before = until
    if (until === null) break
  }
  const { rows } = await db.query<{ id: number }>(
    `select id from public.whatsapp_messages where message_id like 'old-%' order by "timestamp" desc`,
  )
  expect(before).toBe(null)
  expect(ids).toEqual(rows.map(({ id }) => id))
})

test.runIf(isDeepRun)(
  'among very many messages: the index serves it, and one call reads few of them',
  async () => {
    const { db } = staff.base
    const many = byTier(20_000, 200_000)
    const PIECE = 10_000
    const { id: contact } = await makeContact(db, staff.ana.instanceName)
    const { id: other } = await makeContact(db, staff.bia.instanceName)
    await db.exec('alter table public.whatsapp_messages disable trigger user')
    for (let from = 1; from <= many; from += PIECE)
      await db.query(
        `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type, read)
      select case when n % 100 = 0 then $1 else $2 end::bigint, 'corretor_x', 'mass-' || n,
        'Bom dia, ainda há o imóvel de número ' || n || ' (a' || n || ', b' || n || ', d' || n || ')' || case when n % 5000 = 0 then ' com jacarandá' else '' end,
        $3::bigint - n * 600, 'incoming', true
      from generate_series($4::integer, $5::integer) n`,
        [contact, other, now(), from, from + PIECE - 1],
      )
    await db.exec(
      'alter table public.whatsapp_messages enable trigger user; analyze public.whatsapp_messages',
    )
    const rare = await search(staff.asAna, 'jacaranda')
    expect(rare.messages.length).toBe(Math.min(30, many / 5000))
    const common = await search(staff.asAna, 'bom dia')
    expect(common.messages).toHaveLength(30)
    expect(common.until).toBe(common.messages.at(-1)!.timestamp + 1)

    const { rows } = await db.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, timing off, costs off, summary off) select m.id from public.whatsapp_messages m
    where portal.message_terms(m.body, m."timestamp") @@ '''jacaranda'':*'::tsquery and m.body <> '' and m.type <> 'note'`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Bitmap Index Scan on messages_words')
    expect(plan).not.toContain('Rows Removed')

    // 'zzz' is found nowhere, so each of these searches goes through all periods.
    const alone = await blocksOf('zzz')
    for (const more of ['a b d h i n o', 'a1 b1 d1 a2 b2 d2', 'bom dia ainda imovel numero'])
      expect((await blocksOf(`zzz ${more}`)) / alone, more).toBeLessThan(5)
  },
  300_000,
)

/** Blocks that a search touches. */
function blocksOf(query: string): Promise<number> {
  return onBehalf(staff.base.db, staff.asAna, async (ask) => {
    const explained = async () =>
      (
        await ask<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
          'explain (analyze, buffers, timing off, format json) select public.search_messages($1)',
          [query],
        )
      ).rows[0]?.['QUERY PLAN'][0]?.Plan
    // The first run also reads the catalogue.
    await explained()
    const plan = await explained()
    return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN)
  })
}
