// 'Cancelar' and the submit button at the foot of a form or question.
import type { ReactNode } from 'react'
import { Button } from '../primitives/button.tsx'
import { CANCEL } from '../texts.ts'

type FormActionsProps = { onCancel: () => void; cancelLabel?: string | undefined; children: ReactNode }

export function FormActions({ onCancel, cancelLabel = CANCEL, children }: FormActionsProps) {
  return (
    <div className="grid grid-cols-2 gap-2 pt-1">
      <Button variant="line" onClick={onCancel}>
        {cancelLabel}
      </Button>
      {children}
    </div>
  )
}
