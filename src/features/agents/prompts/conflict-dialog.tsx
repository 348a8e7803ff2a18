// A save that conflicts with another one: both texts side by side, and the choice between them.
import { formatDateTime } from '#domain/format.ts'
import { useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { SAVING } from '#ui/texts.ts'
import { TextDiff } from './text-diff.tsx'
import { STAY } from '#ui/texts.ts'
import type { Prompt } from './use-prompt.ts'

const conflictBy = (by: string, atMs: number) =>
  `${by} salvou em ${formatDateTime(atMs)}, depois que você abriu. Nada foi perdido: compare e escolha qual fica.`

export function ConflictDialog({ prompt }: { prompt: Prompt }) {
  const { conflict, text, isSaving, takeTheirs, keepMine, dismissConflict } = prompt
  // Kept during the closing animation, so that the text stays until its end.
  const [last, setLast] = useState(conflict)
  if (conflict && conflict !== last) setLast(conflict)
  if (!last) return null
  return (
    <Dialog
      isOpen={conflict !== null}
      onClose={dismissConflict}
      title="Outra pessoa salvou este texto"
      width="widest"
    >
      <div className="flex flex-col gap-4 px-3">
        <p className="leading-body text-text-2">{conflictBy(last.by, last.atMs)}</p>
        <TextDiff
          before={{ title: 'O que está salvo', text: last.standing.text }}
          after={{ title: 'O que você escreveu', text }}
        />
        <div className="flex flex-wrap justify-end gap-2 *:grow md:*:grow-0">
          <Button variant="quiet" onClick={dismissConflict}>
            {STAY}
          </Button>
          <Button variant="line" onClick={takeTheirs}>
            Ficar com o salvo
          </Button>
          <Button busy={isSaving && SAVING} onClick={() => keepMine(last)}>
            Salvar o meu
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
