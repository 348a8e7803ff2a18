// The buttons above the tables of plans and units: paste rows from a sheet, and add an empty one.
import { ClipboardPaste, Plus } from 'lucide-react'
import { Button } from '#ui/primitives/button.tsx'

type SheetActionsProps = {
  /** The name of a row, on the button that adds one. */
  row: string
  isOff: boolean
  onPaste: () => void
  onAdd: () => void
}

export const SheetActions = ({ row, isOff, onPaste, onAdd }: SheetActionsProps) => (
  <>
    <Button variant="line" size="small" icon={ClipboardPaste} disabled={isOff} onClick={onPaste}>
      Colar da planilha
    </Button>
    <Button variant="soft" size="small" icon={Plus} disabled={isOff} onClick={onAdd}>
      {row}
    </Button>
  </>
)
