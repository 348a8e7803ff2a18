// Holds the form of one development: what was read, what the user typed, and the version that the server compares when
// saving.
import { useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { DevelopmentFile } from '#domain/development/development.ts'
import type { Faults } from '#domain/development/cells.ts'
import { readEdit, toEdit, type DevelopmentEdit, type PlanTexts } from '#domain/development/edit.ts'
import { isSameUnits, type UnitTexts } from '#domain/development/units.ts'
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
  changeUnit: (key: string, part: Partial<UnitTexts>) => void
  /** Shows a file that the server has just stored, so that 'Salvar' need not send it. */
  addFile: (file: DevelopmentFile) => void
  /** The form as it was before the edits. */
  before: DevelopmentEdit
  /** Drops the edits and starts again from what the server has. */
  restart: (stored?: DevelopmentDetails) => void
  /** Keeps the edits over what somebody else saved meanwhile; 'Salvar' then replaces that. */
  keepMine: () => void
}

type Pending = {
  base: DevelopmentDetails
  before: DevelopmentEdit
  edit: DevelopmentEdit
  isDirty: boolean
  operationId: string
}

function begin(base: DevelopmentDetails): Pending {
  const before = toEdit(base)
  return { base, before, edit: before, isDirty: false, operationId: newOperationId() }
}

const changed = <Row extends { key: string }>(rows: readonly Row[], key: string, part: Partial<Row>) =>
  rows.map((row) => (row.key === key ? { ...row, ...part } : row))

/** Returns undefined until the development is loaded. */
export function useDevelopmentDraft(standing: DevelopmentDetails | undefined): DevelopmentDraft | undefined {
  const [pending, setPending] = useState<Pending>()
  // Compared whole, because added files do not change the version.
  if (standing !== undefined && standing !== pending?.base && !pending?.isDirty) setPending(begin(standing))
  if (!pending || !standing) return undefined

  const { base, before, edit, isDirty, operationId } = pending
  const update = (to: (edit: DevelopmentEdit) => DevelopmentEdit, isChange = true) =>
    setPending(
      (was) =>
        was && {
          ...was,
          edit: to(was.edit),
          isDirty: was.isDirty || isChange,
          operationId: newOperationId(),
        },
    )
  return {
    edit,
    ...readEdit(edit, !isSameUnits(before.units, edit.units)),
    isDirty,
    isOutdated: isDirty && standing.version !== base.version,
    version: base.version,
    operationId,
    before,
    change: (part) => update((was) => ({ ...was, ...part })),
    changePlan: (key, part) => update((was) => ({ ...was, plans: changed(was.plans, key, part) })),
    changeUnit: (key, part) => update((was) => ({ ...was, units: changed(was.units, key, part) })),
    addFile: (file) => update((was) => ({ ...was, media: [...was.media, file] }), false),
    restart: (stored = standing) => setPending(begin(stored)),
    keepMine: () => setPending({ ...begin(standing), edit, isDirty: true }),
  }
}
