// /api/exports/leads: the leads of a filter as a table for Excel, for administrators; read page by page while
// it is sent.
import { Hono } from 'hono'
import * as v from 'valibot'
import { displayName } from '#domain/broker.ts'
import { type Cell, toCsv } from '#domain/csv.ts'
import { PortalError } from '#domain/errors.ts'
import { LOSS_REASONS, type LossReason } from '#domain/lead/fields.ts'
import { sourceLabel } from '#domain/lead/source.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import type { Claims } from '#server/db/as-user.ts'
import { createAsking } from '#server/db/asking.ts'
import type { Reading } from '#server/db/replica.ts'
import type { Database } from '#server/db/database.ts'
import { day } from '#server/http/dates.ts'
import type { RateLimit } from '#server/http/rate-limit.ts'
import { jsonOf, limitBody, signedInAdmin, type Member, type Signed } from '#server/http/requests.ts'

type Parts = {
  db: Database
  reading: Reading
  timeZone: string
  memberOf: (request: Request) => Promise<Member>
  rateLimit: RateLimit
}

const MAX_BODY_BYTES = 64 * 1024
/** A larger export has to be split by period. */
const MAX_LEADS = 100_000
const PAGE = 2_000
const names = v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(500)), [])
const Filter = v.object({
  /** Instance names; '' for leads without a broker. Empty: all. */
  brokers: names,
  developments: names,
  from: v.optional(day),
  to: v.optional(day),
})
type Filter = v.InferOutput<typeof Filter>

type Lead = {
  id: number
  name: string | null
  number: string | null
  email: string | null
  broker: string | null
  stage: string | null
  source: string
  campaign: string | null
  development: string | null
  tags: string[]
  valueCents: number | null
  lossReason: LossReason | null
  notes: string | null
  createdAt: string
  firstIncomingAt: string | null
  firstResponseAt: string | null
  lastMessageAt: string | null
  optedOut: boolean
}

const HEADER = [
  'Nome', 'Telefone', 'E-mail', 'Corretor', 'Estágio', 'Empreendimento', 'Origem', 'Campanha', 'Etiquetas', 'Valor (R$)',
  'Motivo da perda', 'Entrou em', 'Primeira mensagem', 'Primeira resposta', 'Última mensagem', 'Pediu para não receber',
  'Observações',
] // prettier-ignore

export function createExportRoutes({
  db,
  reading,
  timeZone,
  memberOf,
  rateLimit,
}: Parts): Hono<Signed<Member>> {
  const { one } = createAsking(db)
  const routes = new Hono<Signed<Member>>()
  const moment = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const at = (text: string | null) =>
    text === null ? null : moment.format(Date.parse(text)).replace(',', '')
  const row = (lead: Lead): Cell[] => [
    lead.name,
    lead.number === null ? null : formatPhone(lead.number),
    lead.email,
    lead.broker === null ? null : displayName(lead.broker),
    lead.stage,
    lead.development,
    sourceLabel(lead.source),
    lead.campaign,
    lead.tags.join(', ') || null,
    lead.valueCents === null ? null : lead.valueCents / 100,
    lead.lossReason === null ? null : LOSS_REASONS[lead.lossReason],
    at(lead.createdAt),
    at(lead.firstIncomingAt),
    at(lead.firstResponseAt),
    at(lead.lastMessageAt),
    lead.optedOut ? 'Sim' : null,
    lead.notes,
  ]

  /** Sends the header first, then each page when the client is ready for it. */
  function fileOf(claims: Claims, filter: Filter): ReadableStream<Uint8Array> {
    const letters = new TextEncoder()
    let after = 0
    return new ReadableStream({
      start: (file) => file.enqueue(letters.encode(toCsv(HEADER, []))),
      pull: async (file) => {
        const values = [JSON.stringify(filter), after, PAGE]
        const page = await reading((from) =>
          createAsking(from).one<Lead[]>(
            claims,
            'select portal.export_page($1::jsonb, $2, $3) as answer',
            values,
          ),
        )
        if (page.length > 0) file.enqueue(letters.encode(toCsv(null, page.map(row))))
        if (page.length < PAGE) return file.close()
        after = page.at(-1)?.id ?? after
      },
    })
  }

  routes.use(signedInAdmin(memberOf), limitBody(MAX_BODY_BYTES))
  routes.post('/leads', rateLimit('export'), async (context) => {
    const { claims } = context.var
    const parsed = v.safeParse(Filter, await jsonOf(context))
    if (!parsed.success)
      throw new PortalError('export.bad-filter', 'Este filtro não existe.', { status: 400 })
    await one(claims, 'select portal.begin_export($1::jsonb, $2) as answer', [
      JSON.stringify(parsed.output),
      MAX_LEADS,
    ])
    return context.body(fileOf(claims, parsed.output), 200, { 'content-type': 'text/csv; charset=utf-8' })
  })
  return routes
}
