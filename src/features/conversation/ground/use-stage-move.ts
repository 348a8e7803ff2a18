// Moves the lead from its conversation: at once, with a toast that can undo it. The board below reports a refusal.
import { moveLead, undoMove } from '#data/board/moves.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { callName } from '#domain/message/call-name.ts'
import type { Stage } from '#domain/stage.ts'
import { toast } from '#ui/feedback/toast.ts'

const movedTo = (name: string, stage: string) => `${name} foi para ${stage}`

export function useStageMove(stages: readonly Stage[]) {
  const move = async (lead: Lead, toSlug: string) => {
    try {
      const done = await moveLead(lead, toSlug)
      const stage = stages.find(({ slug }) => slug === toSlug)?.name ?? toSlug
      toast(movedTo(callName(lead.name) ?? leadTitle(lead), stage), 'info', {
        action: { label: 'Desfazer', run: () => void undoMove(done) },
      })
    } catch {
      toast('Erro ao atualizar status do lead. Tente novamente.', 'error')
    }
  }
  return (lead: Lead, toSlug: string) => void move(lead, toSlug)
}
