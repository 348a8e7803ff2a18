// A broker with a board of made-up leads, inserted directly into a database: for benchmarks and tests of whole
// processes.
import { hashPassword } from '#server/auth/accounts/passwords.ts'
import type { Database } from '#server/db/database.ts'

export const BROKER = {
  instance: 'corretor_camila',
  email: 'camila@corretor.local',
  password: 'senha-da-camila',
} as const

/** A second broker of benchmarks. */
export const OTHER_BROKER = {
  instance: 'corretor_bruno',
  email: 'bruno@corretor.local',
  password: 'senha-do-bruno',
} as const

export type BoardBroker = { instance: string; email: string; password: string }

const FIRST_NAMES =
  'Ana Bruno Carla Diego Elisa Fábio Gabriela Heitor Isabel João Karina Lucas Marina Nelson'.split(' ')
const LAST_NAMES =
  'Almeida Barbosa Cardoso Duarte Esteves Ferreira Gomes Lima Moreira Nogueira Prado Ramos'.split(' ')
const LINES = [
  'Bom dia! Ainda tem a unidade de dois quartos?',
  'Qual o valor da entrada?',
  'Consigo visitar no sábado de manhã?',
  'Vou conversar com minha esposa e te retorno',
  'Pode me mandar a planta, por favor?',
  'Aceita financiamento pela Caixa?',
  'Obrigado, vou pensar',
  'Tem vaga para dois carros?',
]
const STAGES = ['new', 'new', 'conversa', 'conversa', 'negociacao', 'fechado', 'arquivado']

/**
 * Adds the broker with `count` leads over all stages; with `hasMessages`, also an incoming message each and some notes.
 * Boards with distinct ranges of numbers from `firstNumber` on share no person.
 */
export async function fillBoard(
  db: Database,
  count: number,
  {
    hasMessages,
    broker = BROKER,
    firstNumber = 0,
  }: { hasMessages: boolean; broker?: BoardBroker; firstNumber?: number },
): Promise<void> {
  await db.query('insert into public.brokers ("instanceName") values ($1)', [broker.instance])
  await db.query(
    `update portal.accounts set password_hash = $1
     where broker_id = (select id from public.brokers where "instanceName" = $2)`,
    [await hashPassword(broker.password), broker.instance],
  )
  const leads = makeLeads(count, firstNumber)
  await db.query(
    `insert into public.whatsapp_contacts ("instanceName", name, number, status, notes)
     select $1, name, number, status, notes
     from jsonb_to_recordset($2::jsonb) as lead(name text, number text, status text, notes text)`,
    [broker.instance, JSON.stringify(leads)],
  )
  if (!hasMessages) return
  await db.query(
    `insert into public.whatsapp_messages (contact_id, "instanceName", message_id, body, "timestamp", type)
     select c.id, $1, 'line-' || c.id, lead.line, lead.at, 'incoming'
     from jsonb_to_recordset($2::jsonb) as lead(number text, line text, at bigint)
     join public.whatsapp_contacts c on c.number = lead.number and c."instanceName" = $1`,
    [broker.instance, JSON.stringify(leads)],
  )
}

const NEWEST_SECONDS = 1_790_000_000
const SPREAD_SECONDS = 90 * 86_400

function makeLeads(count: number, firstNumber: number) {
  const random = fromSeed(20_261_121)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]
  return Array.from({ length: count }, (_, index) => ({
    name: `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`,
    // The last digits count up, so that no two leads are one person.
    number: `55${11 + Math.floor(random() * 9)}9${7 + Math.floor(random() * 3)}${String(firstNumber + index).padStart(7, '0')}`,
    status: pick(STAGES),
    notes: random() < 0.2 ? `Procura ${1 + Math.floor(random() * 4)} quartos` : null,
    line: pick(LINES),
    at: NEWEST_SECONDS - Math.floor(random() * SPREAD_SECONDS),
  }))
}

/** The same random numbers in [0, 1) at each run (mulberry32). */
function fromSeed(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
