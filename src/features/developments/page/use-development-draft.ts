// Holds the form of one development: what was read, what the user typed, and the version that the server compares when
// saving.
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { DevelopmentFile } from '#domain/development/development.ts'
import {
  emptyPlan,
  readEdit,
  toEdit,
  type DevelopmentEdit,
  type Faults,
  type PlanTexts,
} from '#domain/development/edit.ts'
import type { DevelopmentDetails } from '../data.ts'

export type DevelopmentDraft = {
  edit: DevelopmentEdit
  wanted: object
  faults: Faults
  isDirty: boolean
  /** True if somebody else has saved since, so that these edits belong to an older version. */
  isOutdated: boolean
  version: number
  operationId: string
  change: (part: Partial<DevelopmentEdit>) => void
  changePlan: (key: string, part: Partial<PlanTexts>) => void
  addPlan: () => void
  /** Shows a file that the server has just stored, so that 'Salvar' need not send it. */
  addFile: (file: DevelopmentFile) => void
  /** The form as it was before the edits. */
  before: DevelopmentEdit
  /** Drops the edits and starts again from what the server has. */
  restart: (stored?: DevelopmentDetails) => void
  /** Keeps the edits over what somebody else saved meanwhile; 'Salvar' then replaces that. */
  keepMine: () => void
}

type Pending = { base: DevelopmentDetails; edit: DevelopmentEdit; isDirty: boolean; operationId: string }

const begin = (base: DevelopmentDetails): Pending => ({
  base,
  edit: toEdit(base),
  isDirty: false,
  operationId: newOperationId(),
})

/** Returns undefined until the development is loaded. */
export function useDevelopmentDraft(standing: DevelopmentDetails | undefined): DevelopmentDraft | undefined {
  const [pending, setPending] = useState<Pending>()
  const isUnread = standing !== undefined && standing.version !== pending?.base.version
  if (isUnread && !pending?.isDirty) setPending(begin(standing))
  if (!pending || !standing) return undefined

  const { base, edit, isDirty, operationId } = pending
  const update = (to: (edit: DevelopmentEdit) => DevelopmentEdit, isChange = true) =>
    setPending(
      (before) =>
        before && {
          ...before,
          edit: to(before.edit),
          isDirty: before.isDirty || isChange,
          operationId: newOperationId(),
        },
    )
  return {
    edit,
    ...readEdit(edit),
    isDirty,
    isOutdated: isUnread && isDirty,
    version: base.version,
    operationId,
    before: toEdit(base),
    change: (part) => update((before) => ({ ...before, ...part })),
    changePlan: (key, part) =>
      update((before) => ({
        ...before,
        plans: before.plans.map((plan) => (plan.key === key ? { ...plan, ...part } : plan)),
      })),
    addPlan: () => update((before) => ({ ...before, plans: [...before.plans, emptyPlan(newOperationId())] })),
    addFile: (file) => update((before) => ({ ...before, media: [...before.media, file] }), false),
    restart: (stored = standing) => setPending(begin(stored)),
    keepMine: () => setPending({ base: standing, edit, isDirty: true, operationId: newOperationId() }),
  }
}
