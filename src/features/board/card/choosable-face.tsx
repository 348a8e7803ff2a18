// The picture of a selectable card. A checkbox covers it while the pointer is on the card, or while other cards are
// selected.
import { leadTitle } from '#domain/lead/lead.ts'
import { use } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { classNames } from '#ui/primitives/class-names.ts'
import { ChoosingContext } from '../ground/selection.ts'

export function ChoosableFace({ lead, size }: { lead: Lead; size: 32 | 44 }) {
  const { chosen, choose } = use(ChoosingContext)
  return (
    <span
      className={classNames(
        'group/face relative grid place-items-center',
        size === 44 ? 'size-11' : 'size-8',
      )}
    >
      <input
        type="checkbox"
        // Tab skips the checkbox, because the card itself is the tab stop and its X key selects it.
        tabIndex={-1}
        aria-label={`Selecionar ${leadTitle(lead)}`}
        aria-keyshortcuts="x"
        checked={chosen.has(lead.id)}
        readOnly
        onClick={(event) => choose(lead, event.shiftKey)}
        className="absolute -inset-1 z-1 cursor-pointer opacity-0 pointer-coarse:-inset-1.5"
      />
      <span aria-hidden className={classNames('flex', BOX_SHOWN.picture)}>
        <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={size} />
      </span>
      <span
        aria-hidden
        data-glyph="check"
        className={classNames(
          'absolute hidden size-5.5 place-items-center rounded-sm border-2 border-border-strong bg-surface text-on-primary before:invisible group-has-checked/face:border-primary group-has-checked/face:bg-primary group-has-checked/face:before:visible',
          BOX_SHOWN.box,
        )}
      />
    </span>
  )
}

/** The checkbox replaces the picture on hover, focus or selection, and while other cards are selected. */
const BOX_SHOWN = {
  picture:
    'group-hover:invisible group-focus:invisible group-has-checked/face:invisible group-data-choosing/choosing:invisible',
  box: 'group-hover:grid group-focus:grid group-has-checked/face:grid group-data-choosing/choosing:grid',
}
