// Pending edits of a rotation: kept here alone until they are saved as one, thrown away by leaving, refused where somebody else saved since.
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { SeatRules } from '#domain/rotation/rotation.ts'
import {
  changesOf,
  movedTo,
  newSeat,
  type PlanChanges,
  planFault,
  type RotationDetails,
  type RotationPlan,
} from '#domain/rotation/editing.ts'

export type RotationDraft = {
  plan: RotationPlan
  /** Null: nothing is pending. */
  changes: PlanChanges | null
  fault: ReturnType<typeof planFault>
  /** What is pending was made on what does not stand any more. */
  isOutdated: boolean
  /** What saving goes by. */
  version: string
  /** One for the plan as it is: what is sent again after a lost answer is the same operation. */
  operationId: string
  isNew: (instanceName: string) => boolean
  change: (part: Partial<RotationPlan>) => void
  seat: (instanceName: string) => void
  unseat: (instanceName: string) => void
  changeSeat: (seat: SeatRules) => void
  moveSeat: (from: number, to: number) => void
  takeNewest: () => void
}

type Pending = { base: RotationDetails; plan: RotationPlan; operationId: string }

const begin = (base: RotationDetails): Pending => ({
  base,
  plan: { name: base.name, settings: base.settings, seats: base.seats },
  operationId: newOperationId(),
})

/** Undefined until it is known what stands. */
export function useRotationDraft(standing: RotationDetails | undefined): RotationDraft | undefined {
  const [pending, setPending] = useState<Pending>()
  const changes = pending ? changesOf(pending.base, pending.plan) : null
  const isUnread = standing !== undefined && standing.version !== pending?.base.version
  if (isUnread && !changes) setPending(begin(standing))
  if (!pending || !standing) return undefined

  const { base, plan, operationId } = pending
  const change = (part: Partial<RotationPlan>) =>
    setPending({ base, plan: { ...plan, ...part }, operationId: newOperationId() })
  const { seats } = plan
  return {
    plan,
    changes,
    fault: planFault(plan),
    isOutdated: isUnread && changes !== null,
    version: base.version,
    operationId,
    isNew: (instanceName) => !base.seats.some((seat) => seat.instanceName === instanceName),
    change,
    // One who left and comes back before it was saved has the rules that were there.
    seat: (instanceName) =>
      change({
        seats: [
          ...seats,
          base.seats.find((seat) => seat.instanceName === instanceName) ?? newSeat(instanceName),
        ],
      }),
    unseat: (instanceName) => change({ seats: seats.filter((seat) => seat.instanceName !== instanceName) }),
    changeSeat: (changed) =>
      change({ seats: seats.map((seat) => (seat.instanceName === changed.instanceName ? changed : seat)) }),
    moveSeat: (from, to) => change({ seats: movedTo(seats, from, to) }),
    takeNewest: () => setPending(begin(standing)),
  }
}
