// A board of any size: the portal's own stages with any number of made-up leads, the same each time; and what of it is
// in the page.
import type { Page } from '@playwright/test'
import type { LeadRow } from '#data/board/rows.ts'

/** For each ten leads, the indexes of their stages. */
const SHARES = [0, 0, 0, 0, 1, 1, 2, 2, 3, 4]

/** The range of ids for each board. */
const IDS_A_BOARD = 1_000_000

const NAMES = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elisa', 'Fábio', 'Gabriela', 'Heitor', 'Iara', 'João']
const SURNAMES = ['Souza', 'Lima Barreto', 'Nogueira', 'Prado', 'Cavalcanti de Albuquerque', 'Reis', 'Teles']
const LINES = [
  'Oi! Ainda tem unidade com varanda?',
  'Consigo visitar no sábado de manhã, umas 10h? Meu marido também gostaria de ver a garagem.',
  'Ok',
  'Qual documento falta para a análise do banco? Já mandei o holerite e o extrato dos três últimos meses.',
]
const NOTES = [null, null, 'Quer 3 quartos, até R$ 640 mil. Tem carta de crédito.']

const pick = <T>(values: readonly T[], at: number): T | undefined => values[at % values.length]

type Of = { instanceName: string; firstId: number; slugs: readonly string[]; nowSeconds: number }

export function leadRow(index: number, { instanceName, firstId, slugs, nowSeconds }: Of): LeadRow {
  const isOutgoing = index % 3 === 1
  return {
    id: firstId + index,
    name: index % 11 === 5 ? null : `${pick(NAMES, index)} ${pick(SURNAMES, index)} ${index}`,
    number: `55119${String(50_000_000 + index)}`,
    notes: pick(NOTES, index) ?? null,
    status: slugs[pick(SHARES, index) ?? 0] ?? 'new',
    profile_pic_url: null,
    instanceName,
    unread_count: index % 7 === 0 ? 2 : 0,
    created_at: new Date((nowSeconds - 86_400) * 1_000).toISOString(),
    last_message: {
      body: pick(LINES, index) ?? '',
      timestamp: nowSeconds - 60 - index * 30,
      type: isOutgoing ? 'outgoing' : 'incoming',
      kind: 'text',
      delivery: isOutgoing ? 'read' : null,
    },
    waiting_since: isOutgoing ? null : nowSeconds - 60 - index * 30,
    next: null,
    source: 'instagram',
    empreendimento: 'Mirante do Lago',
    remarketing_sent_at: null,
    opted_out: false,
  }
}

/** From now on each broker's board has this many leads, and remembers moves. */
export async function serveBoard(page: Page, size: number) {
  const moved = new Map<number, string>()
  const boards: string[] = []
  await page.route('**/rest/v1/rpc/sync_board', async (route) => {
    const { p_instance: instanceName, p_cursor: cursor } = route.request().postDataJSON()
    if (!boards.includes(instanceName)) boards.push(instanceName)
    const firstId = (1 + boards.indexOf(instanceName)) * IDS_A_BOARD
    // On a new connection: a kept one may be closed meanwhile, and only a browser would retry.
    const headers = { ...route.request().headers(), connection: 'close' }
    const answer = await (await route.fetch({ headers })).json()
    const slugs = answer.stages.map(({ slug }: { slug: string }) => slug)
    const of = { instanceName, firstId, slugs, nowSeconds: Math.floor(Date.now() / 1_000) }
    const isOwn = (index: number) => index >= 0 && index < size
    const indexes =
      cursor === null
        ? Array(size).keys()
        : Array.from(moved.keys(), (id) => id - firstId).filter((index) => isOwn(index))
    const leads = Array.from(indexes, (index) => {
      const row = leadRow(index, of)
      return { ...row, status: moved.get(row.id) ?? row.status }
    })
    await route.fulfill({ json: { ...answer, leads, removed: [] } })
  })
  await page.route('**/rest/v1/rpc/atualizar_status_lead', async (route) => {
    const { p_contact_id: id, p_novo_status: slug } = route.request().postDataJSON()
    moved.set(id, slug)
    await route.fulfill({ json: { success: true, code: 'moved', current_status: slug } })
  })
}

/** The number of cards and elements in the page. */
export const inPage = (page: Page) =>
  page.evaluate(() => ({
    cards: document.querySelectorAll('article').length,
    nodes: document.querySelectorAll('*').length,
  }))

/** Resolves once the device has stored this many leads; until then the page is busy with it. */
export const whenStored = (page: Page, count: number) =>
  page.waitForFunction(holdsAll, count, { polling: 500 })

/** Runs in the page: whether the device has stored this many leads. */
async function holdsAll(count: number): Promise<boolean> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
    })
  const db = await done(indexedDB.open('portal'))
  try {
    return (await done(db.transaction('leads').objectStore('leads').count())) >= count
  } finally {
    db.close()
  }
}
