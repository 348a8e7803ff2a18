// Developments through the whole portal: saved as a whole, prices with their history, names, files, and who may read.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { replyFault, type ReplyFact } from '#domain/agent/reply.ts'
import { amountsIn } from '#domain/agent/words.ts'
import type { Development, DevelopmentFields } from '#domain/development/development.ts'
import { HTML, PDF, PNG, SVG } from '#tests/support/files.ts'
import { makeAgent, makeContact, makeRotation } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, ana, asAna, asAdmin, close } = await openOffice({ hasGateway: false })
afterAll(close)
afterEach(() =>
  db.exec(
    `delete from public.developments; delete from public.roletas; delete from public.prompts_agents;
     delete from public.whatsapp_contacts; delete from portal.people; delete from portal.media_removals`,
  ),
)

const EMPTY: Omit<DevelopmentFields, 'name'> = {
  builder: null,
  state: null,
  deliversOn: null,
  address: null,
  district: null,
  city: null,
  placeName: null,
  latitude: null,
  longitude: null,
  description: null,
  license: null,
  priceFromCents: null,
  validUntil: null,
}
const PLAN = {
  name: '2 quartos',
  bedrooms: 2,
  suites: 1,
  parking: 1,
  areaFrom: 62,
  areaTo: null,
  priceFromCents: 41_200_000,
  priceToCents: null,
  validUntil: '2026-11-30',
  unitsLeft: 18,
}
type Record = Development & {
  usage: { rotation: object | null; agent: object | null; openLeads: number; texts: string[] }
  prices: { plan: string; priceCents: number | null; validUntil: string | null }[]
  units: object[]
}

const wanted = (name: string, more: object = {}) => ({
  ...EMPTY,
  name,
  plans: [],
  media: [],
  removedMedia: [],
  ...more,
})
const recordOf = ({ body }: { body: object }) => body as Record
const add = (name: string, more: object = {}, operationId = randomUUID()) =>
  asAdmin.call('/api/developments', { operationId, development: wanted(name, more) })
const save = ({ id, version }: { id: number; version: number }, development: object) =>
  asAdmin.call(`/api/developments/${id}/save`, { operationId: randomUUID(), version, development })
const unbound = async () => (await asAdmin.call('/api/developments/unbound')).body['texts']

test('a development is saved with its plans, and a repeat adds no second one', async () => {
  const operationId = randomUUID()
  const more = {
    state: 'em_obras',
    district: 'Jardim Botânico',
    deliversOn: '2028-03-01',
    latitude: -23.5,
    longitude: -46.6,
    plans: [PLAN, { ...PLAN, name: 'Cobertura', priceFromCents: null, validUntil: '2026-11-30' }],
    units: [{ code: '101', area: 62, priceCents: 41_200_000, state: 'disponivel' }],
  }
  const made = recordOf(await add('Mirante do Lago', more, operationId))
  expect(made).toMatchObject({
    name: 'Mirante do Lago',
    state: 'em_obras',
    deliversOn: '2028-03-01',
    plans: [
      { name: '2 quartos', areaFrom: 62, priceFromCents: 41_200_000, validUntil: '2026-11-30' },
      { name: 'Cobertura', priceFromCents: null, validUntil: null, pricedOn: null },
    ],
    units: [{ code: '101', state: 'disponivel' }],
    prices: [{ plan: '2 quartos', priceCents: 41_200_000, validUntil: '2026-11-30' }],
  })
  expect(recordOf(await add('Mirante do Lago', more, operationId)).id).toBe(made.id)
  expect((await asAdmin.call('/api/developments')).body['developments']).toMatchObject([{ id: made.id }])
})

test('a changed price is of today and joins the history; an unchanged one keeps its day', async () => {
  const made = recordOf(await add('Reserva Ipê', { plans: [PLAN, { ...PLAN, name: '3 quartos' }] }))
  await db.query(`update public.development_plans set priced_on = '2026-01-02'`)
  const [two, three] = made.plans
  const later = recordOf(
    await save(
      made,
      wanted('Reserva Ipê', { plans: [{ ...three, priceFromCents: 64_000_000 }, { ...two }] }),
    ),
  )
  expect(
    later.plans.map(({ id, name, pricedOn }) => ({ id, name, isOld: pricedOn === '2026-01-02' })),
  ).toEqual([
    { id: three?.id, name: '3 quartos', isOld: false },
    { id: two?.id, name: '2 quartos', isOld: true },
  ])
  const gone = recordOf(await save(later, wanted('Reserva Ipê')))
  expect(gone.plans).toEqual([])
  expect(gone.prices.map(({ plan, priceCents }) => [plan, priceCents])).toEqual([
    ['2 quartos', null],
    ['3 quartos', null],
    ['3 quartos', 64_000_000],
    ['3 quartos', 41_200_000],
    ['2 quartos', 41_200_000],
  ])
})

test('a save over somebody else’s change is refused and changes nothing', async () => {
  const made = recordOf(await add('Vista Serrana'))
  await save(made, wanted('Vista Serrana', { district: 'Alto da Serra' }))
  const late = await save(made, wanted('Vista Serrana', { district: 'Centro' }))
  expect([late.status, late.body]).toMatchObject([409, { error: { code: 'development.changed' } }])
  const { body } = await asAdmin.call(`/api/developments/${made.id}`)
  expect(body['district']).toBe('Alto da Serra')
})

test.each([
  ['a price without its last day', { plans: [{ ...PLAN, validUntil: null }] }, 'Falta a validade.'],
  ['areas the wrong way round', { plans: [{ ...PLAN, areaTo: 50 }] }, 'A área final é menor que a inicial.'],
  ['half a point on the map', { latitude: 1 }, 'O ponto no mapa precisa de latitude e longitude.'],
  ['a day that does not exist', { deliversOn: '2028-02-31' }, 'Confira os campos e tente de novo.'],
  ['no letter in its name', { name: '—' }, 'O nome precisa de uma letra ou de um número.'],
  [
    'two units alike',
    {
      units: [
        { code: '1', area: null, priceCents: null, state: 'vendido' },
        { code: '1', area: null, priceCents: null, state: 'vendido' },
      ],
    },
    'Há duas unidades com o mesmo código.',
  ],
])('%s is refused in words, and nothing is made', async (_, more, words) => {
  const refused = await add('Porto Seguro', more)
  expect([refused.status, refused.body]).toMatchObject([422, { error: { message: words } }])
  expect((await asAdmin.call('/api/developments')).body['developments']).toEqual([])
})

describe('names', () => {
  test('every spelling of leads, rotations and agents means the same development, and follows a new name', async () => {
    await makeRotation(db, { empreendimento: 'Jardim das Acácias' })
    await makeAgent(db, { empreendimento: 'JARDIM DAS ACACIAS' })
    const { id: leadId } = await makeContact(db, ana.instanceName, { empreendimento: 'jardim das acacias' })
    const made = recordOf(await add('Jardim das Acácias'))
    expect(made.usage).toMatchObject({
      rotation: { name: 'Jardim das Acácias' },
      agent: { mode: 'suggest' },
      openLeads: 1,
      texts: ['jardim das acacias'],
    })
    await save(made, wanted('Jardim Acácias'))
    const { rows } = await db.query(
      `select (select empreendimento from public.roletas) as rotation, (select empreendimento from public.prompts_agents) as agent,
        (select empreendimento from public.whatsapp_contacts where id = $1) as lead,
        portal.known_development('jardim das  ACÁCIAS') as known, portal.roleta_of('Jardim das Acácias') is not null as is_handed_out`,
      [leadId],
    )
    expect(rows).toEqual([
      {
        rotation: 'Jardim Acácias',
        agent: 'Jardim Acácias',
        lead: 'Jardim Acácias',
        known: 'Jardim Acácias',
        is_handed_out: true,
      },
    ])
  })

  test('who waits and who visits this week is counted, and each count has its list', async () => {
    const of = { empreendimento: 'Porto Seguro' }
    const made = recordOf(await add('Porto Seguro'))
    const waiting = await makeContact(db, ana.instanceName, { ...of, waiting_since: '2026-01-05T12:00:00Z' })
    const visited = await makeContact(db, null, of)
    await makeContact(db, ana.instanceName, { ...of, status: 'arquivado' })
    const visit = (days: number, outcome: string | null) =>
      db.query(
        `insert into portal.actions (contact_id, kind, due_at, seen_at, outcome, finished_at)
         select $1, 'visit', now() + $2 * interval '1 day', now(), $3::text, case when $3::text is not null then now() end`,
        [visited.id, days, outcome],
      )
    await visit(0, null)
    await visit(0, 'removed')
    await visit(7, null)
    const read = await asAdmin.call(`/api/developments/${made.id}`)
    expect(recordOf(read).usage).toMatchObject({ openLeads: 2, waitingLeads: 1, visits: 1 })
    const idsOf = async (list: string) =>
      (
        (await asAdmin.call(`/api/developments/${made.id}/leads/${list}`)).body['leads'] as { id: number }[]
      ).map(({ id }) => id)
    expect(await idsOf('open')).toEqual([waiting.id, visited.id])
    expect(await idsOf('waiting')).toEqual([waiting.id])
    expect(await idsOf('visits')).toEqual([visited.id])
    expect((await asAdmin.call(`/api/developments/${made.id}/leads/others`)).status).toBe(404)
  })

  test('a text without a development is listed, and is bound once an administrator says what it means', async () => {
    const { id: leadId } = await makeContact(db, ana.instanceName, { empreendimento: 'Jd. Acácias' })
    const made = recordOf(await add('Jardim das Acácias'))
    expect(await unbound()).toEqual([{ text: 'Jd. Acácias', leads: 1 }])
    const bound = await asAdmin.call('/api/developments/unbound', { text: 'Jd. Acácias', id: made.id })
    expect(bound.status).toBe(200)
    expect(await unbound()).toEqual([])
    const { rows } = await db.query(
      `select empreendimento, portal.known_development('jd acacias') as known from public.whatsapp_contacts where id = $1`,
      [leadId],
    )
    expect(rows).toEqual([{ empreendimento: 'Jardim das Acácias', known: 'Jardim das Acácias' }])
    const other = recordOf(await add('Villa Bela'))
    await db.query(`insert into portal.intake_keys (id, kind, name, hash, settings, per_minute, created_by, created_at)
      values (gen_random_uuid(), 'meta', 'Meta', sha256('m'), '{"developmentByForm": {"1": "Torre Norte", "2": "villa bela"}}', 60, 'chefe', now())`)
    onTestFinished(() => db.exec(`delete from portal.intake_keys`))
    expect(await unbound()).toEqual([{ text: 'Torre Norte', leads: 0 }])
    const taken = await asAdmin.call('/api/developments/unbound', { text: 'JD. ACACIAS', id: other.id })
    expect([taken.status, taken.body]).toMatchObject([409, { error: { code: 'development.taken' } }])
  })

  test('who saves over another administrator learns who saved and when', async () => {
    const made = recordOf(await add('Mirante do Lago'))
    const { status, body } = await save(made, wanted('Mirante do Lago', { district: 'Centro' }))
    expect(status).toBe(200)
    expect(body).toMatchObject({ savedBy: expect.any(String), version: made.version + 1 })
    const savedMs = Date.parse(String(body['savedAt']))
    expect(Math.abs(savedMs - portal.clock.now())).toBeLessThan(1_000)
    expect((await save(made, wanted('Mirante do Lago'))).status).toBe(409)
  })

  test('two developments cannot have one name, in whatever spelling', async () => {
    await add('Parque Aurora')
    const second = await add('PARQUE-AURORA')
    expect([second.status, second.body]).toMatchObject([
      409,
      { error: { message: 'Já existe um empreendimento com este nome: Parque Aurora.' } },
    ])
  })
})

describe('files', () => {
  /** 3,000 × 2,000, taken with the camera on its side: shown 2,000 wide and 3,000 high. */
  const photo = () =>
    sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: '#807020' } })
      .withExif({ IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '23/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
  const whole = Buffer.concat([PDF, Buffer.from('1 0 obj <</Type /Catalog>> endobj trailer <</Root 1 0 R>>')])
  function upload(id: number, kind: string, bytes: Uint8Array, by = asAdmin) {
    const body = new FormData()
    body.set('message', JSON.stringify({ kind, fileName: `${kind}.bin` }))
    body.set('file', new Blob([new Uint8Array(bytes)]), 'upload')
    return by.send(`/api/developments/${id}/files`, body)
  }
  const fileOf = ({ body }: { body: object }) =>
    (body as { file: { id: number; width: number; height: number } }).file
  const addressesOf = async (ids: number[], by = asAdmin, isSmall = false) =>
    (await by.call('/api/developments/files', { ids, isSmall })).body['urls'] as { [id: string]: string }
  const bytesAt = async (url = '') => Buffer.from(await (await portal.request(url)).arrayBuffer())

  test('a photo is stored upright in three sizes, without the place where it was taken', async () => {
    const { id } = recordOf(await add('Alameda Central'))
    const file = fileOf(await upload(id, 'foto', await photo()))
    expect([file.width, file.height]).toEqual([720, 1_080])
    const [large, small] = [await addressesOf([file.id]), await addressesOf([file.id], asAna, true)]
    const [seen, thumb] = [await bytesAt(large[file.id]), await bytesAt(small[file.id])]
    const meta = await sharp(seen).metadata()
    expect([meta.format, meta.width, meta.height, meta.exif]).toEqual(['jpeg', 1_280, 1_920, undefined])
    expect((await sharp(thumb).metadata()).height).toBe(320)
    // What is sent is another file.
    const { rows } = await db.query(
      'select media_id <> whole_id as is_other, preview from public.development_media where id = $1',
      [file.id],
    )
    expect(rows).toEqual([{ is_other: true, preview: expect.any(String) }])
    const tiny = await sharp(Buffer.from(String(rows[0]?.['preview']), 'base64')).metadata()
    expect([tiny.format, tiny.width, tiny.height]).toEqual(['jpeg', 21, 32])
  })

  test.each([
    ['half a photo', 'foto', async () => (await photo()).subarray(0, 2_000)],
    ['a drawing of vectors', 'foto', () => SVG],
    ['a page that says it is a PDF', 'tabela', () => Buffer.concat([PDF, HTML])],
    ['a picture as a table', 'tabela', () => PNG],
  ])('%s is refused in words, and nothing is stored', async (_, kind, bytes) => {
    const { id } = recordOf(await add('Alameda Central'))
    const count = async () => (await db.query('select from portal.media')).rows.length
    const before = await count()
    const refused = await upload(id, kind, await bytes())
    expect([refused.status, refused.body]).toMatchObject([422, { error: { code: 'development.file' } }])
    expect(await count()).toBe(before)
  })

  test('files are put in order, named and removed by saving; what nothing uses may leave the store', async () => {
    const made = recordOf(await add('Alameda Central'))
    const table = fileOf(await upload(made.id, 'tabela', whole))
    const [first, second] = [
      fileOf(await upload(made.id, 'foto', PNG)),
      fileOf(await upload(made.id, 'planta', await photo())),
    ]
    const media = [
      { id: second.id, title: 'Planta do 2 quartos' },
      { id: first.id, title: null },
    ]
    const saved = recordOf(
      await save(
        made,
        wanted('Alameda Central', {
          media,
          removedMedia: [table.id],
          plans: [{ ...PLAN, drawingId: second.id }],
        }),
      ),
    )
    expect(saved.media.map(({ id, title }) => ({ id, title }))).toEqual([
      { id: first.id, title: null },
      { id: second.id, title: 'Planta do 2 quartos' },
    ])
    expect(saved.plans[0]?.drawingId).toBe(second.id)
    const { rows } = await db.query(
      'select portal.media_is_used(media_id) as is_used from portal.media_removals',
    )
    expect(rows).toEqual([{ is_used: false }])
  })

  test('a broker reads no file of an archived development, and no stranger any', async () => {
    const { id } = recordOf(await add('Alameda Central'))
    const file = fileOf(await upload(id, 'foto', PNG))
    expect(Object.keys(await addressesOf([file.id], asAna))).toEqual([String(file.id)])
    await asAdmin.call(`/api/developments/${id}/archive`, { isArchived: true })
    expect(await addressesOf([file.id], asAna)).toEqual({})
    expect(Object.keys(await addressesOf([file.id]))).toEqual([String(file.id)])
  })

  test('a broker may not add files', async () => {
    const { id } = recordOf(await add('Alameda Central'))
    expect((await upload(id, 'foto', PNG, asAna)).status).toBe(403)
  })
})

describe('facts of an agent', () => {
  const setup = async (id: number) =>
    (await asAdmin.call(`/api/agents/${id}/setup`)).body as { recordId: number; recordFacts: object[] }
  const today = () => portal.clock.now()
  /** A day of the agency's zone, which begins three hours after the day of UTC. */
  const dayIn = (days: number) =>
    new Date(today() + days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })

  test('are those of the record today: a price until its last day, none of what is sold out', async () => {
    const { id } = await makeAgent(db, { empreendimento: 'Mirante do Lago' })
    const made = recordOf(
      await add('MIRANTE DO LAGO', {
        state: 'em_obras',
        district: 'Jardim Botânico',
        deliversOn: '2028-03-01',
        plans: [
          { ...PLAN, areaTo: 70.5, priceToCents: 45_000_050, validUntil: dayIn(3) },
          { ...PLAN, name: '3 quartos', parking: 2, priceFromCents: 64_000_000, validUntil: dayIn(-2) },
          { ...PLAN, name: 'Cobertura', unitsLeft: 0, validUntil: dayIn(3) },
        ],
      }),
    )
    const { recordId, recordFacts } = await setup(id)
    expect(recordId).toBe(made.id)
    const day = (iso: string) => `${iso.slice(8)}/${iso.slice(5, 7)}`
    expect(recordFacts).toMatchObject([
      { label: 'Endereço', value: 'Jardim Botânico', isPrice: false },
      { label: 'Fase', value: 'em obras' },
      { label: 'Entrega', value: '03/2028' },
      {
        label: 'Planta 2 quartos',
        value: `62 a 70,5 m², 1 suíte, 1 vaga, a partir de R$ 412.000 até R$ 450.000,50 (tabela de ${day(dayIn(0))}, vale até ${day(dayIn(3))})`,
        isPrice: true,
      },
      { label: 'Planta 3 quartos', value: '62 m², 1 suíte, 2 vagas', isPrice: false },
      { label: 'Planta Cobertura', value: '62 m², 1 suíte, 1 vaga, esgotada', isPrice: false },
    ])
    const { rows } = await db.query<{ facts: object[] }>('select portal.valid_facts($1, $2) as facts', [
      id,
      new Date(today() + 4 * 86_400_000).toISOString(),
    ])
    expect(rows[0]?.facts.filter((fact) => 'isPrice' in fact && fact.isPrice)).toEqual([])
  })

  test('state exactly the price of the day, over a hundred changes of price and last day', async () => {
    const { id } = await makeAgent(db, { empreendimento: 'Mirante do Lago' })
    await add('Mirante do Lago', { plans: [{ ...PLAN, validUntil: dayIn(3) }] })
    for (let turn = 0; turn < 100; turn++) {
      const [cents, left] = [20_000_000 + turn * 791_925, (turn % 5) - 2]
      await db.query('update public.development_plans set price_from_cents = $1, valid_until = $2', [
        cents,
        dayIn(left),
      ])
      const { rows } = await db.query<{ facts: ReplyFact[] }>('select portal.valid_facts($1, $2) as facts', [
        id,
        new Date(today()).toISOString(),
      ])
      const prices = (rows[0]?.facts ?? []).filter(({ isPrice }) => isPrice)
      expect(prices.flatMap(({ value }) => amountsIn(value))).toEqual(
        left < 0 ? [] : [Math.round(cents / 100)],
      )
      // A model's answer passes with the record's price only; otherwise a person is called.
      const says = (amount: number) =>
        replyFault(`O de 2 quartos sai a partir de R$ ${amount.toLocaleString('pt-BR')}.`, {
          facts: rows[0]?.facts ?? [],
          visit: null,
        })
      expect(says(Math.round(cents / 100))).toBe(left < 0 ? 'price' : null)
      expect(says(Math.round((cents - 791_925) / 100))).toBe('price')
    }
  })

  test('leave with an archived development', async () => {
    const { id } = await makeAgent(db, { empreendimento: 'Mirante do Lago' })
    const made = recordOf(await add('Mirante do Lago', { builder: 'Lago Incorporações' }))
    expect((await setup(id)).recordFacts).toHaveLength(1)
    await asAdmin.call(`/api/developments/${made.id}/archive`, { isArchived: true })
    expect((await setup(id)).recordFacts).toEqual([])
  })
})
