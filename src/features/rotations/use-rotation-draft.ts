// Holds the unsaved edits of a rotation in memory. They are saved together, and discarded when the dialog closes. The
// server refuses them if somebody else has saved since.
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
  /** What the unsaved edits change; null if there are none. */
  changes: PlanChanges | null
  fault: ReturnType<typeof planFault>
  /** True if somebody else has saved since, so that the edits belong to an older version. */
  isOutdated: boolean
  /** The version that the edits are based on; the server compares it when saving. */
  version: string
  /** Each state of the edits has its own id, so that a retry after a lost response does not save twice. */
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

/** Returns undefined until the rotation is loaded. */
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
    // A broker who is removed and added again before saving keeps the former rules.
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
