// A move on the board: shown at once, settled by the server's word, put back without one. Spec 4, 7.1; PRODUCT.md 4.4.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keys } from '#data/keys.ts'
import type { Board } from '#data/leads.ts'
import { moveLead, onRefusedMove, type RefusedMove, undoMove } from '#data/moves.ts'
import { newOperationId } from '#data/operation.ts'
import { queryClient } from '#data/query-client.ts'
import { PortalError } from '#domain/errors.ts'
import { board, lead } from '#tests/support/make-app.ts'

const { rpc } = vi.hoisted(() => ({
  rpc: vi.fn<(name: string, args: Record<string, unknown>) => Promise<unknown>>(),
}))
vi.mock('#api/client.ts', () => ({ rpc }))

const rogerio = lead({ id: 7, stageSlug: 'new' })
const key = keys.board(rogerio.instanceName)
const told = vi.fn<(refused: RefusedMove) => void>()
let stopListening: () => void

beforeEach(() => {
  queryClient.setQueryData<Board>(key, board([rogerio]))
  stopListening = onRefusedMove(told)
})
afterEach(() => {
  queryClient.clear()
  stopListening()
  rpc.mockReset()
  told.mockReset()
})

const stageNow = () => queryClient.getQueryData<Board>(key)?.leads.get(7)?.stageSlug

it('shows the lead in its new stage at once, and asks by what was seen', async () => {
  rpc.mockResolvedValue({ success: true, message: null, current_status: 'conversa' })
  const move = await moveLead(rogerio, 'conversa')
  expect(move).toMatchObject({ lead: rogerio, fromSlug: 'new', toSlug: 'conversa' })
  expect(stageNow()).toBe('conversa')
  expect(rpc).toHaveBeenCalledExactlyOnceWith('atualizar_status_lead', {
    p_contact_id: 7,
    p_number_lead: rogerio.number,
    p_broker_name: rogerio.instanceName,
    p_novo_status: 'conversa',
    p_expected_status: 'new',
    p_operation_id: move.operationId,
  })
})

it('undone, it goes back', async () => {
  rpc.mockResolvedValue({ success: true, message: null, current_status: null })
  await undoMove(await moveLead(rogerio, 'conversa'))
  expect(stageNow()).toBe('new')
})

it.each([
  ['someone else was faster', 'fechado', 'fechado'],
  ['the stage is gone', null, 'new'],
])('refused because %s, the lead stands where the server says', async (_, current_status, slug) => {
  rpc.mockResolvedValue({ success: false, message: 'Já foi movido.', current_status })
  const move = await moveLead(rogerio, 'conversa')
  await vi.waitFor(() => expect(told).toHaveBeenCalledExactlyOnceWith({ move, reason: 'Já foi movido.' }))
  expect(stageNow()).toBe(slug)
})

it('without an answer the lead goes back', async () => {
  rpc.mockRejectedValue(new PortalError('network.offline', 'Sem conexão.', { status: 0 }))
  const move = await moveLead(rogerio, 'conversa')
  await vi.waitFor(() => expect(told).toHaveBeenCalledExactlyOnceWith({ move, reason: null }))
  expect(stageNow()).toBe('new')
})

it('makes ids that are UUIDs, each its own', () => {
  const ids = Array.from({ length: 50 }, newOperationId)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(50)
})
