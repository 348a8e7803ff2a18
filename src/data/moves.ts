// Moving a lead to another stage: shown at once, put back when it is refused. Spec 4, 7.1; PRODUCT.md 4.4.
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import { log } from '#api/log.ts'
import type { Lead } from '#domain/lead.ts'
import { keys } from './keys.ts'
import type { Board } from './leads.ts'
import { newOperationId } from './operation.ts'
import { queryClient } from './query-client.ts'

/** A move as it was done; `lead` as it was before. */
export type LeadMove = { operationId: string; lead: Lead; fromSlug: string; toSlug: string }

/** `reason` is the server's word; null where the sending failed for good. */
export type RefusedMove = { move: LeadMove; reason: string | null }

const MoveAnswer = v.object({
  success: v.boolean(),
  message: v.nullish(v.string(), null),
  current_status: v.nullish(v.string(), null),
})

const listeners = new Set<(refused: RefusedMove) => void>()

/** Calls back when a move came to nothing; the board has put the lead back by then. */
export function onRefusedMove(listener: (refused: RefusedMove) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The board shows it at once; resolves when it is written down. */
export async function moveLead(lead: Lead, toSlug: string): Promise<LeadMove> {
  const move: LeadMove = { operationId: newOperationId(), lead, fromSlug: lead.stageSlug, toSlug }
  placeLead(lead, toSlug)
  void send(move)
  return Promise.resolve(move)
}

/** Drops it if unsent, else queues the inverse. */
export async function undoMove({ lead, fromSlug, toSlug }: LeadMove): Promise<void> {
  await moveLead({ ...lead, stageSlug: toSlug }, fromSlug)
}

async function send(move: LeadMove) {
  const { lead, fromSlug, toSlug, operationId } = move
  try {
    const answer = await rpc('atualizar_status_lead', {
      p_contact_id: lead.id,
      p_number_lead: lead.number,
      p_broker_name: lead.instanceName,
      p_novo_status: toSlug,
      p_expected_status: fromSlug,
      p_operation_id: operationId,
    })
    const { success, message, current_status } = v.parse(MoveAnswer, answer)
    if (success) return
    // Where the server says it stands, whoever put it there; else where it was.
    placeLead(lead, current_status ?? fromSlug)
    tellRefused({ move, reason: message })
  } catch (error) {
    log.warn('move.failed', error)
    placeLead(lead, fromSlug)
    tellRefused({ move, reason: null })
  }
}

function tellRefused(refused: RefusedMove) {
  for (const listener of listeners) listener(refused)
}

function placeLead({ id, instanceName }: Lead, stageSlug: string) {
  queryClient.setQueryData<Board>(keys.board(instanceName), (board) => {
    const lead = board?.leads.get(id)
    if (!board || !lead || lead.stageSlug === stageSlug) return board
    return { ...board, leads: new Map(board.leads).set(id, { ...lead, stageSlug }) }
  })
}
