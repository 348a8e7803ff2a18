// Moving the lead from its conversation: done at once, said, undone on wish; refused, it says why. Spec 4, 8; PRODUCT.md 2.
import { useMutation } from '@tanstack/react-query'
import { moveLead } from '#data/moves.ts'
import type { Lead } from '#domain/lead.ts'
import type { Stage } from '#domain/stage.ts'
import { toast } from '#ui/toast.ts'
import { MOVE_FAILED, movedTo, moveRefused, UNDO, UNNAMED } from './texts.ts'

export function useStageMove(stages: readonly Stage[]) {
  const { mutateAsync } = useMutation(moveLead())

  const move = async (lead: Lead, toSlug: string, canUndo = true) => {
    try {
      const outcome = await mutateAsync({ lead, toSlug })
      if (!outcome.isDone) return toast(moveRefused(outcome.reason))
      const stage = outcome.stageName || stages.find(({ slug }) => slug === toSlug)?.name || toSlug
      const undo = () => void move({ ...lead, stageSlug: toSlug }, lead.stageSlug, false)
      toast(movedTo(firstName(lead), stage), canUndo ? { label: UNDO, run: undo } : null)
    } catch {
      toast(MOVE_FAILED)
    }
  }
  return (lead: Lead, toSlug: string) => void move(lead, toSlug)
}

function firstName({ name }: Lead): string {
  return name?.trim().split(/\s+/)[0] || UNNAMED
}
