// Costs by origin: every figure of random months equals a second computation and the length of its list. Also how spend
// is stored, and who may do it.
import { expect, test } from 'vitest'
import { openBase } from '#tests/support/database.ts'
import {
  asking,
  makeBroker,
  makeContact,
  makeMessage,
  makeTeam,
  signIn,
  signInAdmin,
  signInManager,
} from '#tests/support/make.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const base = await openBase()
const { db } = base
const admin = await signInAdmin(db)

type Figures = {
  leads: number
  answered: number
  visits: number
  sales: number
  untold: number
  paidLeads: number
  paidAnswered: number
  paidVisits: number
  paidSales: number
  cents: number | null
  isWhole: boolean
  perLead: number | null
  perAnswer: number | null
  perVisit: number | null
  perSale: number | null
}
type Campaign = Figures & { campaign: string; name: string }
type Origins = {
  total: Figures
  before: Figures
  origins: (Figures & { origin: string; campaigns: Campaign[] })[]
  others: (Figures & { currency: string; origin: string; campaign: string | null })[]
}
type Saved = { saved: number; replaced: number; refused: { place: number; reason: string }[] }

const ask = asking(db)
const origins = (month: string, who = admin, team: string | null = null) =>
  ask<Origins>(who, 'public.get_origins($1, $2)', [`${month}-01`, team])
const countOf = (
  figure: string,
  month: string,
  origin: string | null,
  campaign: string | null,
  isPaid = false,
) =>
  ask<number>(admin, `(public.get_origin_leads($1, $2, $3, $4, null, $5) -> 'count')::integer`, [
    figure,
    `${month}-01`,
    origin,
    campaign,
    isPaid,
  ])
const save = (lines: readonly object[], who = admin) =>
  ask<Saved>(who, 'public.import_spend($1::jsonb)', [JSON.stringify(lines)])
const set = (month: string, origin: string, campaign: string | null, cents: number | null, who = admin) =>
  ask(who, 'public.set_spend($1, $2, $3, $4)', [origin, campaign, `${month}-01`, cents])
const line = (origin: string, campaign: string, month: string, cents: number, more: object = {}) => ({
  origin,
  campaign,
  campaignId: null,
  month,
  currency: 'BRL',
  cents,
  ...more,
})
const spend = async (month: string) =>
  (
    await db.query<{
      origin: string
      campaign: string
      campaign_id: string
      currency: string
      cents: number
      how: string
    }>(
      `select origin, campaign, campaign_id, currency, cents::float8 as cents, how from portal.ad_spend
       where month = $1 order by 1, 4, 2, 3`,
      [`${month}-01`],
    )
  ).rows

/** A seeded generator, which gives the same numbers in every run. */
function numbers(seed: number) {
  let state = (seed * 2_654_435_761 + 97) >>> 0
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Made = {
  source: string
  campaign: string | null
  isAnswered: boolean
  isVisited: boolean
  isSold: boolean
}

/** A lead that wrote at noon of a day. */
async function arrive(day: string, owner: string | null, made: Made): Promise<number> {
  const at = Date.parse(`${day}T15:00:00Z`) / 1000
  const { id } = await makeContact(db, owner, { source: made.source, campaign: made.campaign })
  await makeMessage(db, id, { timestamp: at })
  if (made.isAnswered)
    await makeMessage(db, id, { timestamp: at + 60, type: 'outgoing', author: 'human', instanceName: owner })
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
  if (made.isVisited)
    await db.query(
      `insert into portal.actions (contact_id, kind, due_at, seen_at, created_at, finished_at, outcome)
       values ($1, 'visit', $2, $2, $2, $2, 'done')`,
      [id, iso(at + 3_600)],
    )
  if (made.isSold)
    await db.query('update public.whatsapp_contacts set won_at = $2 where id = $1', [id, iso(at + 7_200)])
  return id
}

const PAID = {
  leads: 'paidLeads',
  answered: 'paidAnswered',
  visits: 'paidVisits',
  sales: 'paidSales',
} as const
const ORIGIN: Record<string, string> = { facebook: 'meta', instagram: 'meta', zap: 'olx', site: 'site' }
const per = (cents: number | null, count: number) =>
  cents === null || count === 0 ? null : Number((BigInt(cents) * 2n + BigInt(count)) / (2n * BigInt(count)))

function reckon(leads: readonly Made[], cents: number | null, isPaid: (lead: Made) => boolean) {
  const paid = leads.filter(isPaid)
  const count = (those: readonly Made[], what: 'isAnswered' | 'isVisited' | 'isSold') =>
    those.filter((lead) => lead[what]).length
  return {
    leads: leads.length,
    answered: count(leads, 'isAnswered'),
    visits: count(leads, 'isVisited'),
    sales: count(leads, 'isSold'),
    untold: leads.length - paid.length,
    paidLeads: paid.length,
    paidAnswered: count(paid, 'isAnswered'),
    paidVisits: count(paid, 'isVisited'),
    paidSales: count(paid, 'isSold'),
    cents,
    perLead: per(cents, paid.length),
    perAnswer: per(cents, count(paid, 'isAnswered')),
    perVisit: per(cents, count(paid, 'isVisited')),
    perSale: per(cents, count(paid, 'isSold')),
  }
}

test.each(byTier([1], [1, 2, 3]))(
  'month %i of generated leads: every figure equals a plain count, and its list',
  async (seed) => {
    const draw = numbers(seed)
    const month = `2026-0${seed}`
    const broker = await makeBroker(db)
    const leads: Made[] = []
    for (let count = 25 + draw(20); count > 0; count--) {
      const made = {
        source: ['facebook', 'instagram', 'zap', 'site'][draw(4)]!,
        campaign: [null, 'Vila Nova', 'vila  nova', 'Jardim'][draw(4)]!,
        isAnswered: draw(4) > 0,
        isVisited: draw(4) === 0,
        isSold: draw(6) === 0,
      }
      await arrive(`${month}-${String(1 + draw(28)).padStart(2, '0')}`, broker.instanceName, made)
      leads.push(made)
    }
    const cents = [1 + draw(900_000), draw(900_000), draw(90_000)]
    await save([
      line('meta', 'Vila Nova', month, cents[0]!),
      line('meta', 'Sem ninguém', month, cents[1]!),
      line('zap', '', month, cents[2]!),
    ])

    const isOf = (lead: Made, origin: string, campaign?: string) =>
      ORIGIN[lead.source] === origin &&
      (campaign === undefined || (lead.campaign ?? '').toLowerCase().replace(/\s+/g, ' ') === campaign)
    const isPaid = (lead: Made) => isOf(lead, 'olx') || isOf(lead, 'meta', 'vila nova')
    const { total, origins: lines } = await origins(month)
    const all = cents.reduce((sum, one) => sum + one, 0)
    expect(total).toMatchObject(reckon(leads, all, isPaid))
    const lineOf = (origin: string) => lines.find((one) => one.origin === origin)!
    const those = (origin: string, campaign?: string) => leads.filter((lead) => isOf(lead, origin, campaign))
    expect(lineOf('meta')).toMatchObject({
      ...reckon(those('meta'), cents[0]! + cents[1]!, isPaid),
      isWhole: false,
    })
    expect(lineOf('olx')).toMatchObject({ ...reckon(those('olx'), cents[2]!, isPaid), isWhole: true })
    expect(lineOf('site')).toMatchObject(reckon(those('site'), null, isPaid))
    const campaignOf = (campaign: string) =>
      lineOf('meta').campaigns.find((one) => one.campaign === campaign)!
    expect(campaignOf('vila nova')).toMatchObject(reckon(those('meta', 'vila nova'), cents[0]!, isPaid))
    expect(campaignOf('jardim')).toMatchObject(reckon(those('meta', 'jardim'), null, isPaid))
    expect(campaignOf('sem ninguem')).toMatchObject({
      leads: 0,
      cents: cents[1],
      perLead: null,
      perSale: null,
    })

    for (const figure of ['leads', 'answered', 'visits', 'sales', 'untold'] as const) {
      expect(await countOf(figure, month, null, null)).toBe(total[figure])
      if (figure !== 'untold')
        expect(await countOf(figure, month, null, null, true)).toBe(total[PAID[figure]])
      for (const one of lines) {
        expect(await countOf(figure, month, one.origin, null), `${one.origin} ${figure}`).toBe(one[figure])
        for (const part of one.campaigns)
          expect(await countOf(figure, month, one.origin, part.campaign)).toBe(part[figure])
      }
      // Campaigns add up to their origin, origins to the total.
      for (const { campaigns, ...one } of lines)
        expect(campaigns.reduce((sum, part) => sum + part[figure], 0)).toBe(one[figure])
      expect(lines.reduce((sum, one) => sum + one[figure], 0)).toBe(total[figure])
    }
  },
)

test('0 is a value, nothing is none, and a removed one is none again', async () => {
  const made = { source: 'site', campaign: null, isAnswered: true, isVisited: false, isSold: false }
  const broker = await makeBroker(db)
  for (const day of ['04', '05']) await arrive(`2025-06-${day}`, broker.instanceName, made)
  const read = async () => (await origins('2025-06')).origins[0]!
  expect(await read()).toMatchObject({ leads: 2, untold: 2, cents: null, perLead: null })
  await set('2025-06', 'site', null, 0)
  expect(await read()).toMatchObject({ untold: 0, cents: 0, perLead: 0, perAnswer: 0, perVisit: null })
  await set('2025-06', 'Site', '', 301)
  // Half a cent is rounded up.
  expect(await read()).toMatchObject({ cents: 301, perLead: 151 })
  expect((await origins('2025-07')).before).toMatchObject({ leads: 2, cents: 301, perLead: 151 })
  await set('2025-06', 'site', null, null)
  expect(await read()).toMatchObject({ untold: 2, cents: null, perLead: null })
})

test('the same file again changes nothing; a newer one replaces its campaigns and months only', async () => {
  const file = [
    line('meta', 'Vila Nova', '2024-05', 100, { campaignId: '120210000000000117' }),
    line('meta', 'Vila Nova', '2024-05', 30, { campaignId: '120210000000000139' }),
    line('meta', 'Jardim', '2024-05', 7),
    line('meta', 'Jardim', '2024-06', 8),
  ]
  expect(await save(file)).toEqual({ saved: 4, replaced: 0, refused: [] })
  const stored = await spend('2024-05')
  expect(await save(file)).toEqual({ saved: 4, replaced: 4, refused: [] })
  expect(await spend('2024-05')).toEqual(stored)
  expect(stored.map(({ cents }) => cents)).toEqual([7, 100, 30])
  // A campaign that was renamed keeps its number.
  await save([line('meta', 'Vila Nova 2', '2024-05', 40, { campaignId: '120210000000000139' })])
  expect((await spend('2024-05')).map(({ campaign, cents }) => [campaign, cents])).toEqual([
    ['Jardim', 7],
    ['Vila Nova', 100],
    ['Vila Nova 2', 40],
  ])
  // A typed amount replaces those of all campaigns of the name, and a file with the name replaces the typed amount.
  await set('2024-05', 'meta', 'VILA  NOVA', 55)
  await save([line('meta', 'vila nova', '2024-05', 60, { campaignId: '120210000000000117' })])
  expect((await spend('2024-05')).map(({ cents }) => cents)).toEqual([7, 40, 60])
  expect((await spend('2024-06')).map(({ cents }) => cents)).toEqual([8])
})

test('a number as a lead’s campaign is the campaign that a file names', async () => {
  await arrive('2024-08-09', null, {
    source: 'google',
    campaign: '21900000001',
    isAnswered: false,
    isVisited: false,
    isSold: false,
  })
  await save([line('google', 'Pesquisa', '2024-08', 500, { campaignId: '21900000001' })])
  expect((await origins('2024-08')).origins).toMatchObject([
    {
      origin: 'google',
      leads: 1,
      perLead: 500,
      campaigns: [{ campaign: 'pesquisa', name: 'Pesquisa', leads: 1 }],
    },
  ])
})

test('an origin has spend as one or by campaign; the other is refused and changes nothing', async () => {
  await set('2024-01', 'olx', null, 900)
  await expect(set('2024-01', 'olx', 'Destaque', 100)).rejects.toThrow('gasto único')
  expect(await save([line('olx', 'Destaque', '2024-01', 1), line('meta', 'Vila', '2024-01', 2)])).toEqual({
    saved: 1,
    replaced: 0,
    refused: [{ place: 0, reason: 'whole' }],
  })
  await expect(set('2024-01', 'meta', null, 100)).rejects.toThrow('por campanha')
  expect((await spend('2024-01')).map(({ cents }) => cents)).toEqual([2, 900])
})

test('other currencies stay apart', async () => {
  const broker = await makeBroker(db)
  const made = { source: 'facebook', isAnswered: true, isVisited: false, isSold: false }
  await arrive('2024-03-04', broker.instanceName, { ...made, campaign: 'Beachfront' })
  await arrive('2024-03-05', broker.instanceName, { ...made, campaign: 'Vila' })
  await save([
    line('meta', 'Beachfront', '2024-03', 9_900, { currency: 'USD' }),
    line('meta', 'Vila', '2024-03', 500),
  ])
  const { total, others } = await origins('2024-03')
  expect(total).toMatchObject({ cents: 500, paidLeads: 1, perLead: 500, untold: 0 })
  expect(others).toMatchObject([
    { currency: 'USD', origin: 'meta', campaign: 'beachfront', cents: 9_900, perLead: 9_900 },
  ])
})

test('lines that are wrong are refused, the others stored; too many are all refused', async () => {
  const right = line('meta', 'Certa', '2023-01', 5)
  const wrong: object[] = [
    { month: '2023-13' },
    { month: '01/2023' },
    { currency: 'R$' },
    { cents: -1 },
    { cents: 1.5 },
    { cents: 100_000_000_001 },
    { cents: null },
    { campaignId: 'x' },
    { campaign: 'x'.repeat(201) },
    { origin: '  ' },
    { origin: 'x'.repeat(61) },
  ]
  expect(await save([...wrong.map((part) => ({ ...right, campaign: 'Errada', ...part })), right])).toEqual({
    saved: 1,
    replaced: 0,
    refused: wrong.map((_, place) => ({ place, reason: 'invalid' })),
  })
  expect(await spend('2023-01')).toHaveLength(1)
  for (const lines of [[], {}, Array.from({ length: 2_001 }, () => right)])
    await expect(save(lines as object[])).rejects.toThrow('de 1 a 2.000')
  for (const cents of [-1, 100_000_000_001])
    await expect(set('2023-02', 'meta', 'x', cents)).rejects.toThrow('R$ 0 a R$ 1 bilhão')
  await expect(ask(admin, `public.set_spend('meta', null, '2023-02-02', 1)`)).rejects.toThrow(
    'Escolha um mês',
  )
  await expect(ask(admin, `public.get_origins('1999-01-01')`)).rejects.toThrow('Escolha um mês')
  await expect(ask(admin, `public.get_origin_leads('tudo', '2023-02-01')`)).rejects.toThrow('Esta lista')
  expect(await spend('2023-02')).toEqual([])
})

test('the table ends at 20,000 rows', async () => {
  await db.exec('begin')
  await db.exec(`insert into portal.ad_spend (origin, month, currency, name_key, campaign, cents, how, changed_by)
    select 'cheio', '2022-01-01', 'BRL', 'c' || n, 'C' || n, 1, 'file', 'x' from generate_series(1, 20000) n
    on conflict do nothing`)
  await db.exec('commit')
  await expect(set('2022-02', 'cheio', 'Mais uma', 1)).rejects.toThrow('gastos demais')
  expect(await save([line('cheio', 'Mais uma', '2022-02', 1)])).toMatchObject({
    saved: 0,
    refused: [{ reason: 'full' }],
  })
  await db.exec(`delete from portal.ad_spend where origin = 'cheio'`)
})

test('a gerente reads the own team’s leads with their part of the spend; teams add up', async () => {
  const [mine, other] = [await makeBroker(db), await makeBroker(db)]
  const [team, rivals] = [await makeTeam(db, { brokers: [mine] }), await makeTeam(db, { brokers: [other] })]
  const gerente = await signInManager(db, team)
  const made = { source: 'facebook', campaign: 'Vila', isAnswered: true, isVisited: false, isSold: false }
  for (const owner of [mine, other, other]) await arrive('2024-10-07', owner.instanceName, made)
  await set('2024-10', 'meta', 'Vila', 1_000)
  expect((await origins('2024-10', gerente)).total).toMatchObject({ leads: 1, cents: 333, perLead: 333 })
  expect((await origins('2024-10', gerente, rivals)).total).toMatchObject({
    leads: 0,
    cents: 0,
    perLead: null,
  })
  expect((await origins('2024-10', admin, rivals)).total).toMatchObject({
    leads: 2,
    cents: 667,
    perLead: 334,
  })
  expect(
    await ask<number>(gerente, `(public.get_origin_leads('leads', '2024-10-01') -> 'count')::integer`),
  ).toBe(1)
  const broker = await signIn(db, mine)
  for (const who of [gerente, broker]) {
    await expect(set('2024-10', 'meta', 'Vila', 1, who)).rejects.toThrow('administrador')
    await expect(save([line('meta', 'Vila', '2024-10', 1)], who)).rejects.toThrow('administrador')
    await expect(ask(who, `public.get_spend_months('meta', 'Vila', '2024-10-01')`)).rejects.toThrow(
      'administrador',
    )
  }
  await expect(origins('2024-10', broker)).rejects.toThrow('gerente')
  expect((await spend('2024-10')).map(({ cents }) => cents)).toEqual([1_000])
})

test('a gerente reads no origin and no campaign that brought the own teams no lead', async () => {
  const [mine, other] = [await makeBroker(db), await makeBroker(db)]
  const gerente = await signInManager(db, await makeTeam(db, { brokers: [mine] }))
  const made = { source: 'facebook', isAnswered: false, isVisited: false, isSold: false }
  await arrive('2024-09-03', mine.instanceName, { ...made, campaign: 'Nossa' })
  await arrive('2024-09-03', other.instanceName, { ...made, campaign: 'Segredo' })
  await arrive('2024-09-03', other.instanceName, { ...made, source: 'google', campaign: 'Segredo 2' })
  for (const currency of ['BRL', 'USD'])
    await save([
      line('meta', 'Nossa', '2024-09', 300, { currency }),
      line('meta', 'Segredo', '2024-09', 500, { currency }),
      line('google', 'Segredo 2', '2024-09', 700, { currency }),
      line('segredo', '', '2024-09', 900, { currency }),
      line('olx', 'Segredo sem leads', '2024-09', 900, { currency }),
    ])
  const read = await origins('2024-09', gerente)
  expect(JSON.stringify(read)).not.toMatch(/segredo|google|olx/i)
  expect(read.total).toMatchObject({ leads: 1, cents: 300, perLead: 300 })
  expect(read.origins).toMatchObject([
    { origin: 'meta', cents: 300, campaigns: [{ campaign: 'nossa', cents: 300 }] },
  ])
  expect(read.others).toMatchObject([{ currency: 'USD', origin: 'meta', campaign: 'nossa', cents: 300 }])
  expect((await origins('2024-09')).origins.map(({ origin }) => origin).toSorted()).toEqual([
    'google',
    'meta',
    'olx',
    'segredo',
  ])
})

test('three months of a campaign say who told what', async () => {
  await set('2024-12', 'meta', 'Três', 100)
  await save([line('meta', 'três', '2024-11', 0)])
  const months = await ask<{ month: string; cents: number | null; how: string | null }[]>(
    admin,
    `public.get_spend_months('facebook', 'TRÊS', '2024-12-01')`,
  )
  expect(months.map(({ month, cents, how }) => [month, cents, how])).toEqual([
    ['2024-12', 100, 'typed'],
    ['2024-11', 0, 'file'],
    ['2024-10', null, null],
  ])
})
