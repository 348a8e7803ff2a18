// A save that was refused because another was saved since: both texts side by side, and the choice.
import { useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/dialog.tsx'
import { SAVING } from '#ui/texts.ts'
import { TextDiff } from './text-diff.tsx'
import { CONFLICT_TITLE, conflictBy, KEEP_MINE, MINE, STAY, TAKE_THEIRS, THEIRS } from './texts.ts'
import type { Prompt } from './use-prompt.ts'

export function ConflictDialog({ prompt }: { prompt: Prompt }) {
  const { conflict, text, isSaving, takeTheirs, keepMine, dismissConflict } = prompt
  // Kept while it closes, so that its words do not vanish before it does.
  const [last, setLast] = useState(conflict)
  if (conflict && conflict !== last) setLast(conflict)
  if (!last) return null
  return (
    <Dialog isOpen={conflict !== null} onClose={dismissConflict} title={CONFLICT_TITLE} width="widest">
      <div className="flex flex-col gap-4 px-3">
        <p className="leading-body text-text-2">{conflictBy(last.by, last.atMs)}</p>
        <TextDiff before={{ title: THEIRS, text: last.standing.text }} after={{ title: MINE, text }} />
        <div className="flex flex-wrap justify-end gap-2 *:grow md:*:grow-0">
          <Button variant="quiet" onClick={dismissConflict}>
            {STAY}
          </Button>
          <Button variant="line" onClick={takeTheirs}>
            {TAKE_THEIRS}
          </Button>
          <Button busy={isSaving && SAVING} onClick={() => keepMine(last)}>
            {KEEP_MINE}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
