// Moving a lead to another stage: shown at once, put back when it is refused. Spec 4, 7.1; PRODUCT.md 4.4.
import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead.ts'
import { keys } from './keys.ts'
import type { Board } from './leads.ts'
import { newOperationId } from './operation.ts'

const MoveAnswer = v.object({
  success: v.boolean(),
  message: v.nullish(v.string(), null),
  stage_name: v.nullish(v.string(), null),
  current_status: v.nullish(v.string(), null),
})

export type Move = { lead: Lead; toSlug: string }

/** `reason` is the server's word on a refusal, if it has one. */
export type MoveOutcome = { isDone: true; stageName: string } | { isDone: false; reason: string | null }

/** A refusal is an outcome, not an error. Raises PortalError where no answer came; the lead is back in its stage then. */
export function moveLead() {
  return mutationOptions({
    mutationFn: async ({ lead, toSlug }: Move, { client }): Promise<MoveOutcome> => {
      placeLead(client, lead, toSlug)
      try {
        const { success, current_status, stage_name, message } = await askForMove(lead, toSlug)
        // Where the server says it stands, whoever put it there; else where it was.
        placeLead(client, lead, current_status ?? lead.stageSlug)
        return success ? { isDone: true, stageName: stage_name ?? '' } : { isDone: false, reason: message }
      } catch (error) {
        placeLead(client, lead, lead.stageSlug)
        throw error
      }
    },
  })
}

async function askForMove(lead: Lead, toSlug: string): Promise<v.InferOutput<typeof MoveAnswer>> {
  const answer = await rpc('atualizar_status_lead', {
    p_contact_id: lead.id,
    p_number_lead: lead.number,
    p_broker_name: lead.instanceName,
    p_novo_status: toSlug,
    p_expected_status: lead.stageSlug,
    p_operation_id: newOperationId(),
  })
  return v.parse(MoveAnswer, answer)
}

function placeLead(client: QueryClient, { id, instanceName }: Lead, stageSlug: string) {
  client.setQueryData<Board>(keys.board(instanceName), (board) => {
    const lead = board?.leads.get(id)
    if (!board || !lead || lead.stageSlug === stageSlug) return board
    return { ...board, leads: new Map(board.leads).set(id, { ...lead, stageSlug }) }
  })
}
