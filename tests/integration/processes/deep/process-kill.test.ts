// Repeated kill -9 during work: the next start recovers, nothing acknowledged is lost, nothing is half done, and open
// requests can be repeated.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROKER, fillBoard } from '#tests/support/board.ts'
import { ENGINES, openFolderOn } from '#tests/support/data-folder.ts'
import { call, signIn, type RunningPortal } from '#tests/support/portal.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const ROUNDS = byTier(2, 20)
const CLIENTS = 6
const LEADS_PER_CLIENT = 5
const MAX_MOVES_A_ROUND = 40
const STAGES = ['new', 'conversa', 'negociacao', 'fechado', 'arquivado']

type Lead = { id: number; number: string; status: string }
type Move = { operationId: string; lead: Lead; target: string }
type MoveAnswer = { success: boolean; code: string }

let folder: Awaited<ReturnType<typeof openFolderOn>>
let portal: RunningPortal

describe.each(ENGINES)('%s', (engine) => {
  beforeAll(async () => {
    folder = await openFolderOn(engine, 'kill', (db) =>
      fillBoard(db, CLIENTS * LEADS_PER_CLIENT, { hasMessages: false }),
    )
  })
  afterAll(() => folder?.close())

  test(`${ROUNDS} rounds of kill -9 lose nothing and leave nothing half done`, playRounds, 600_000)
})

async function playRounds() {
  const acknowledged: Move[] = []
  /** Each lead's stage after the last acknowledged move. */
  const known = new Map<number, string>()
  let underWay: Move[] = []

  for (let round = 0; round < ROUNDS; round++) {
    portal = await folder.start()
    const token = await signIn(portal.origin, BROKER.email, BROKER.password)
    const leads = await readLeads(portal.origin, token)
    expectTrue({ leads, known, underWay })

    for (const move of underWay) {
      const { status, body } = await sendMove(portal.origin, token, move)
      expect({ status, code: body.code }).toEqual({ status: 200, code: 'moved' })
      move.lead.status = move.target
      acknowledged.push(move)
    }
    const leadsNow = await readLeads(portal.origin, token)
    underWay = await workUntilKilled(token, { leads: leadsNow, acknowledged })
    for (const { lead, target } of acknowledged) known.set(lead.id, target)
  }

  expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS)
  await expectWhole(acknowledged, underWay)
}

/** Every lead is where the last acknowledged move put it, or where the open one was to put it. */
function expectTrue(seen: { leads: Lead[]; known: Map<number, string>; underWay: Move[] }) {
  const misplaced = seen.leads.filter(({ id, status }) => {
    const pending = seen.underWay.find((move) => move.lead.id === id)
    return ![seen.known.get(id) ?? status, pending?.target].includes(status)
  })
  expect(misplaced).toEqual([])
}

/** Several clients move their own leads continuously; after a random number of answers the portal is killed. */
async function workUntilKilled(
  token: string,
  work: { leads: Lead[]; acknowledged: Move[] },
): Promise<Move[]> {
  const { origin, process: server } = portal
  const underWay = new Set<Move>()
  let answersLeft = 1 + Math.floor(Math.random() * MAX_MOVES_A_ROUND)
  let isKilled = false

  const client = async (own: Lead[]) => {
    for (let turn = 0; !isKilled; turn++) {
      const lead = own[turn % own.length]
      if (!lead) throw new Error('a client without leads')
      const target = STAGES[(STAGES.indexOf(lead.status) + 1) % STAGES.length] ?? 'new'
      const move: Move = { operationId: randomUUID(), lead, target }
      underWay.add(move)
      const answer = await sendMove(origin, token, move).catch((error: unknown) => {
        if (isKilled) return null
        throw error
      })
      if (!answer) return
      expect(answer).toMatchObject({ status: 200, body: { success: true, code: 'moved' } })
      underWay.delete(move)
      lead.status = target
      work.acknowledged.push(move)
      if (--answersLeft === 0) {
        isKilled = true
        await server.kill('SIGKILL')
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    client(work.leads.slice(index * LEADS_PER_CLIENT, (index + 1) * LEADS_PER_CLIENT)),
  )
  await Promise.all(clients)
  return [...underWay]
}

const sendMove = (origin: string, token: string, { operationId, lead, target }: Move) =>
  call<MoveAnswer>(`${origin}/rest/v1/rpc/atualizar_status_lead`, {
    token,
    body: {
      p_number_lead: lead.number,
      p_broker_name: BROKER.instance,
      p_novo_status: target,
      p_contact_id: lead.id,
      p_operation_id: operationId,
    },
  })

async function readLeads(origin: string, token: string): Promise<Lead[]> {
  const { status, body } = await call<Lead[]>(
    `${origin}/rest/v1/whatsapp_contacts?select=id,number,status&order=id`,
    {
      token,
    },
  )
  expect({ status, count: body.length }).toEqual({ status: 200, count: CLIENTS * LEADS_PER_CLIENT })
  return body
}

/** The rows that one move writes together, after the last kill: contact, history, stored answer, board number. */
async function expectWhole(acknowledged: Move[], underWay: Move[]) {
  const db = await folder.open()
  const { rows: moves } = await db.query<{ operation_id: string; times: number; has_result: boolean }>(
    `select h.operation_id, count(*)::int as times, bool_and(o.operation_id is not null) as has_result
     from portal.stage_history h left join portal.applied_operations o using (operation_id)
     where h.operation_id is not null group by 1`,
  )
  const { rows: halves } = await db.query(
    `select operation_id from portal.applied_operations where operation_id not in
       (select operation_id from portal.stage_history where operation_id is not null)`,
  )
  const { rows: strays } = await db.query(
    `select c.id from public.whatsapp_contacts c
     where c.status <> (select h.to_status from portal.stage_history h where h.contact_id = c.id order by h.id desc limit 1)
       or not exists (select from portal.board_changes b
                      where b.contact_id = c.id and b.xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`,
  )
  const { rows: gaps } = await db.query(
    `select id from (
       select id, from_status, lag(to_status) over (partition by contact_id order by id) as before from portal.stage_history
     ) h where from_status is distinct from before`,
  )
  await db.close()

  const written = new Map(moves.map((move) => [move.operation_id, move]))
  expect(moves.filter(({ times, has_result }) => times !== 1 || !has_result)).toEqual([])
  expect(acknowledged.filter(({ operationId }) => !written.has(operationId))).toEqual([])
  const sent = new Set([...acknowledged, ...underWay].map(({ operationId }) => operationId))
  expect(moves.filter(({ operation_id }) => !sent.has(operation_id))).toEqual([])
  expect({ halves, strays, gaps }).toEqual({ halves: [], strays: [], gaps: [] })
}
