// Handles keys and pasting in the tables of plans and units: Enter goes one row down, and pasted cells fill rows.
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { newOperationId } from '#data/operation.ts'
import { cellsOf, pasteInto, type Sheet } from '#domain/development/paste.ts'
import { announce, toast } from '#ui/feedback/toast.ts'

const CANNOT_PASTE = 'O navegador não deixou ler o que foi copiado. Clique numa célula e cole com Ctrl+V.'

export type Place<Column> = { row: number; cell: Column }

type Rows<Row> = {
  rows: readonly Row[]
  onRows: (rows: Row[]) => void
  /** Called before a cell gets the focus, to draw its row. */
  onRow?: (row: number) => void
}

export function useSheet<Row, Column extends keyof Row & string>(
  sheet: Sheet<Row, Column>,
  { rows, onRows, onRow }: Rows<Row>,
) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [firstColumn] = sheet.columns
  // Waits for the next frame, because a new row is not drawn before.
  const goTo = ({ row, cell }: Place<Column>) => {
    onRow?.(row)
    requestAnimationFrame(() =>
      body.current?.querySelector<HTMLElement>(`[data-cell="${row}.${cell}"]`)?.focus(),
    )
  }
  const paste = (place: Place<Column>, text: string) => {
    onRows(pasteInto(sheet, rows, { ...place, text, keyOf: newOperationId }))
    announce('Colado da planilha.')
  }
  const addRow = () => onRows([...rows, sheet.empty(newOperationId())])
  return {
    body,
    goTo,
    add: () => {
      addRow()
      goTo({ row: rows.length, cell: firstColumn })
    },
    pasteAll: () =>
      void navigator.clipboard.readText().then(
        (text) => text.trim() !== '' && paste({ row: rows.length, cell: firstColumn }, text),
        () => toast(CANNOT_PASTE, 'error'),
      ),
    onKey: (event: KeyboardEvent, { row, cell }: Place<Column>) => {
      if (event.key !== 'Enter') return
      event.preventDefault()
      if (row === rows.length - 1) addRow()
      goTo({ row: row + 1, cell })
    },
    onPaste: (event: ClipboardEvent, place: Place<Column>) => {
      const text = event.clipboardData.getData('text/plain')
      const cells = cellsOf(text)
      if (cells.length === 1 && cells[0]?.length === 1) return
      event.preventDefault()
      paste(place, text)
    },
  }
}
