// A move on the board: stored before it is sent, undone while it waits or after, reported when it fails.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RefusedMove } from '#data/board/moves.ts'
import { newOperationId } from '#data/operation.ts'
import { eventually } from '#tests/support/eventually.ts'
import { lead } from '#tests/support/make-app.ts'
import { openPhone, type Phone, type Tab } from '#tests/support/phone.ts'

const camila = { id: 'camila-id', token: 'token' }
const rogerio = lead({ id: 7, stageSlug: 'new' })
const moved = {
  code: 'moved',
  message: null,
  current_status: 'conversa',
  changed_by: 'camila',
  changed_at: null,
}
const onRefused = vi.fn<(refused: RefusedMove) => void>()

let phone: Phone
let tab: Tab
let bodies: unknown[]
let answer: unknown

beforeEach(async () => {
  bodies = []
  answer = moved
  phone = await openPhone({
    account: camila,
    fetchServer: async (request) => {
      bodies.push(await request.json())
      return Response.json(answer)
    },
  })
  tab = await phone.openTab()
})
afterEach(() => {
  onRefused.mockReset()
  vi.unstubAllGlobals()
  vi.doUnmock('#api/network.ts')
  vi.doUnmock('#api/stored-session.ts')
  vi.doUnmock('#api/own-token.ts')
})

const states = async () =>
  (await tab.app.listOutbox()).map(({ command, state }) =>
    command.kind === 'lead.move' ? `${command.fromSlug}→${command.toSlug} ${state}` : state,
  )

it('is stored when it resolves, and sends the stage that was seen', async () => {
  phone.network.isUp = false
  const move = await tab.use(() => tab.app.moveLead(rogerio, 'conversa'))
  expect(move).toMatchObject({ lead: rogerio, fromSlug: 'new', toSlug: 'conversa' })
  expect(await states()).toEqual(['new→conversa queued'])
  phone.network.isUp = true
  expect(await tab.use(() => tab.app.drain('online'))).toEqual({ left: 0 })
  expect(await states()).toEqual(['new→conversa applied'])
  expect(bodies).toEqual([
    {
      p_contact_id: 7,
      p_number_lead: rogerio.number,
      p_broker_name: rogerio.instanceName,
      p_novo_status: 'conversa',
      p_expected_status: 'new',
      p_moved_at: expect.any(String) as string,
      p_operation_id: move.operationId,
    },
  ])
})

it('undone before it was sent, nothing is sent', async () => {
  phone.network.isUp = false
  await tab.use(async () => tab.app.undoMove(await tab.app.moveLead(rogerio, 'conversa')))
  phone.network.isUp = true
  await tab.use(() => tab.app.drain('online'))
  expect(bodies).toEqual([])
})

it('undone after it was sent, the inverse follows', async () => {
  const move = await tab.use(() => tab.app.moveLead(rogerio, 'conversa'))
  await eventually(async () => expect(await states()).toEqual(['new→conversa applied']))
  await tab.use(() => tab.app.undoMove(move))
  await eventually(() => expect(bodies).toHaveLength(2))
  expect(bodies[1]).toMatchObject({ p_novo_status: 'new', p_expected_status: 'conversa' })
})

it.each([
  ['conflict', 'Já foi movido.', 'negociacao', 'negociacao'],
  ['unknown_stage', 'Este estágio não existe mais.', null, 'new'],
])(
  "%s: reported with the server’s text and the lead's stage, kept for the broker to decide",
  async (code, message, current, stageSlug) => {
    answer = { ...moved, code, message, current_status: current }
    tab.use(() => tab.app.onRefusedMove(onRefused))
    const move = await tab.use(() => tab.app.moveLead(rogerio, 'conversa'))
    await eventually(() =>
      expect(onRefused).toHaveBeenCalledExactlyOnceWith({ move, reason: message, stageSlug }),
    )
    expect(await states()).toEqual([`new→conversa ${code === 'conflict' ? 'conflict' : 'refused'}`])
  },
)

it('moved twice before sending: one move from the original stage is reported', async () => {
  answer = { ...moved, code: 'conflict', message: 'Já foi movido.', current_status: 'negociacao' }
  phone.network.isUp = false
  tab.use(() => tab.app.onRefusedMove(onRefused))
  const first = await tab.use(() => tab.app.moveLead(rogerio, 'conversa'))
  await tab.use(() => tab.app.moveLead({ ...rogerio, stageSlug: 'conversa' }, 'fechado'))
  phone.network.isUp = true
  await tab.use(() => tab.app.drain('online'))
  expect(bodies).toMatchObject([{ p_novo_status: 'fechado', p_expected_status: 'new' }])
  expect(onRefused).toHaveBeenCalledExactlyOnceWith({
    move: { ...first, toSlug: 'fechado' },
    reason: 'Já foi movido.',
    stageSlug: 'negociacao',
  })
})

it('nobody signed in: fails at once', async () => {
  tab.setOwner(null)
  await expect(tab.use(() => tab.app.moveLead(rogerio, 'conversa'))).rejects.toMatchObject({
    code: 'session.lost',
  })
})

it('makes unique UUIDs', () => {
  const ids = Array.from({ length: 50 }, newOperationId)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(50)
})
