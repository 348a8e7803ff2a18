// Chooses the stage whose contacts get the campaign. Each stage shows how many it has.
import type { Board } from '#data/board/rows.ts'
import { ChoiceChip } from '#ui/forms/choice-chip.tsx'
import { contacts } from '../texts.ts'
import { formatNumber } from '#domain/count.ts'

const CHOOSE_KANBAN = 'Escolha um kanban'

const KANBAN = 'Kanban'

type StageFieldProps = { board: Board; slug: string; onSlug: (slug: string) => void }

export function StageField({ board, slug, onSlug }: StageFieldProps) {
  const counts = new Map(board.missing)
  for (const { stageSlug } of board.leads.values()) counts.set(stageSlug, (counts.get(stageSlug) ?? 0) + 1)
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="text-14 font-medium">
        {KANBAN}
      </span>
      <ChoiceChip
        look="field"
        name={KANBAN}
        title={CHOOSE_KANBAN}
        placeholder={CHOOSE_KANBAN}
        choices={board.stages.map((stage) => {
          const count = counts.get(stage.slug) ?? 0
          return {
            value: stage.slug,
            label: stage.name,
            hue: stage.hue,
            note: { text: formatNumber(count), spoken: contacts(count) },
          }
        })}
        value={slug}
        onChoose={onSlug}
      />
    </div>
  )
}
