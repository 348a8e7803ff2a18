// A move on the board: shown at once, settled by the server's word, put back without one. Spec 4, 7.1; PRODUCT.md 4.4.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keys } from '#data/keys.ts'
import type { Board } from '#data/leads.ts'
import { moveLead } from '#data/moves.ts'
import { newOperationId } from '#data/operation.ts'
import { PortalError } from '#domain/errors.ts'
import { board, lead } from '#tests/support/make-app.ts'

const { rpc } = vi.hoisted(() => ({
  rpc: vi.fn<(name: string, args: Record<string, unknown>) => Promise<unknown>>(),
}))
vi.mock('#api/client.ts', () => ({ rpc }))

const rogerio = lead({ id: 7, stageSlug: 'new' })
const key = keys.board(rogerio.instanceName)
let client: QueryClient

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } })
  client.setQueryData<Board>(key, board([rogerio]))
})
afterEach(() => {
  client.clear()
  rpc.mockReset()
})

const stageNow = () => client.getQueryData<Board>(key)?.leads.get(7)?.stageSlug
const move = () =>
  client.getMutationCache().build(client, moveLead()).execute({ lead: rogerio, toSlug: 'conversa' })
const answer = (part: Record<string, unknown>) => ({
  success: true,
  code: 'moved',
  message: null,
  stage_name: 'Conversa',
  current_status: 'conversa',
  changed_by: 'camila',
  changed_at: '2026-11-21T12:00:00Z',
  ...part,
})

it('shows the lead in its new stage before the server answered, and asks by what was seen', async () => {
  let settle: (value: unknown) => void = () => undefined
  rpc.mockImplementation(() => new Promise((resolve) => (settle = resolve)))
  const moving = move()
  await vi.waitFor(() => expect(stageNow()).toBe('conversa'))
  settle(answer({}))
  await expect(moving).resolves.toEqual({ isDone: true, stageName: 'Conversa' })
  expect(stageNow()).toBe('conversa')
  expect(rpc).toHaveBeenCalledExactlyOnceWith('atualizar_status_lead', {
    p_contact_id: 7,
    p_number_lead: rogerio.number,
    p_broker_name: rogerio.instanceName,
    p_novo_status: 'conversa',
    p_expected_status: 'new',
    p_operation_id: expect.any(String) as string,
  })
})

it.each([
  [
    'someone else was faster',
    answer({ success: false, message: 'Já foi movido.', current_status: 'fechado' }),
    'fechado',
  ],
  ['the stage is gone', answer({ success: false, message: 'Já foi movido.', current_status: null }), 'new'],
])('refused because %s, the lead stands where the server says', async (_, refusal, slug) => {
  rpc.mockResolvedValue(refusal)
  await expect(move()).resolves.toEqual({ isDone: false, reason: 'Já foi movido.' })
  expect(stageNow()).toBe(slug)
})

it('without an answer the lead goes back', async () => {
  rpc.mockRejectedValue(new PortalError('network.offline', 'Sem conexão.', { status: 0 }))
  await expect(move()).rejects.toMatchObject({ code: 'network.offline' })
  expect(stageNow()).toBe('new')
})

it('leaves a board alone that no longer has the lead', async () => {
  const empty = board([], { cursor: '2' })
  client.setQueryData(key, empty)
  rpc.mockResolvedValue(answer({ success: false, message: null, current_status: null }))
  await move()
  expect(client.getQueryData(key)).toEqual(empty)
})

it('makes ids that are UUIDs, each its own', () => {
  const ids = Array.from({ length: 50 }, newOperationId)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(50)
})
