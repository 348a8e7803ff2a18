// Renders the sheet that marks a contact as private, on every broker screen.
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { MarkSheet } from './mark-sheet.tsx'
import { useAskedToMark } from './opening.ts'

export function PrivatePlace() {
  const [open, setOpen] = useState<{ lead: Lead; onDone: () => void }>()
  useAskedToMark(setOpen)
  return <MarkSheet lead={open?.lead} onClose={() => setOpen(undefined)} onDone={() => open?.onDone()} />
}
