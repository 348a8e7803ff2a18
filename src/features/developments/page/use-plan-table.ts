// Handles keys and pasting in the table 'Plantas e preços': Enter goes one row down, and pasted cells fill rows.
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { Cell } from '#domain/development/edit.ts'
import { cellsOf, pasteInto } from '#domain/development/paste.ts'
import { announce, toast } from '#ui/feedback/toast.ts'
import type { DevelopmentDraft } from './use-development-draft.ts'

const CANNOT_PASTE = 'O navegador não deixou ler o que foi copiado. Clique numa célula e cole com Ctrl+V.'

export type Place = { row: number; cell: Cell }

export function usePlanTable(draft: DevelopmentDraft) {
  const { plans } = draft.edit
  const body = useRef<HTMLTableSectionElement>(null)
  // Waits for the next frame, because a new row is not drawn before.
  const goTo = ({ row, cell }: Place) =>
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLInputElement>(`[data-cell="${row}.${cell}"]`)?.focus(),
    )
  const paste = (place: Place, text: string) => {
    draft.change({ plans: pasteInto(plans, { ...place, text }, newOperationId) })
    announce('Colado da planilha.')
  }
  return {
    body,
    add: () => {
      draft.addPlan()
      goTo({ row: plans.length, cell: 'name' })
    },
    pasteAll: () =>
      void navigator.clipboard.readText().then(
        (text) => text.trim() !== '' && paste({ row: plans.length, cell: 'name' }, text),
        () => toast(CANNOT_PASTE, 'error'),
      ),
    onKey: (event: KeyboardEvent, { row, cell }: Place) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      if (row === plans.length - 1) draft.addPlan()
      goTo({ row: row + 1, cell })
    },
    onPaste: (event: ClipboardEvent, place: Place) => {
      const text = event.clipboardData.getData('text/plain')
      const cells = cellsOf(text)
      if (cells.length === 1 && cells[0]?.length === 1) return
      event.preventDefault()
      paste(place, text)
    },
  }
}
