// The most frequent actions of a lead's sheet: call, copy the number, write a note, change the stage.
import { ArrowLeftRight, Copy, type LucideIcon, Phone, StickyNote } from 'lucide-react'
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import type { Stage } from '#domain/stage.ts'
import { copyText } from '#ui/clipboard.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Choices } from '#ui/forms/choices.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { CALL, COPY, COPY_FAILED, MOVE_TO, NUMBER_COPIED, STATUS } from '../ground/texts.ts'
import { useStageMove } from '../ground/use-stage-move.ts'
import { NOTE } from './texts.ts'

type LeadTilesProps = { lead: Lead; stages: readonly Stage[]; onNote: () => void }

export function LeadTiles({ lead, stages, onNote }: LeadTilesProps) {
  const { number, stageSlug } = lead
  const move = useStageMove(stages)
  const [isMoving, setMoving] = useState(false)
  const close = () => setMoving(false)
  const digits = number && dialledDigits(number)
  const copy = async () => {
    if (await copyText(formatPhone(number ?? ''))) toast(NUMBER_COPIED, 'success')
    else toast(COPY_FAILED, 'error')
  }
  return (
    <div className="lead-tiles grid gap-2">
      {digits && (
        <a href={`tel:+${digits}`} className={TILE}>
          <TileFace icon={Phone} label={CALL} />
        </a>
      )}
      {digits && (
        <button type="button" onClick={() => void copy()} className={TILE}>
          <TileFace icon={Copy} label={COPY} />
        </button>
      )}
      <button type="button" onClick={onNote} className={TILE}>
        <TileFace icon={StickyNote} label={NOTE} />
      </button>
      <button type="button" aria-haspopup="menu" onClick={() => setMoving(true)} className={TILE}>
        <TileFace icon={ArrowLeftRight} label="Mover" />
      </button>
      <Dialog isOpen={isMoving} onClose={close} title={MOVE_TO}>
        <Choices
          name={STATUS}
          choices={stages.map(({ slug, name: label, hue }) => ({ value: slug, label, hue }))}
          value={stageSlug}
          onChoose={(slug) => move(lead, slug)}
          onDone={close}
        />
      </Dialog>
    </div>
  )
}

const TILE =
  'flex min-h-16 flex-col items-center justify-center gap-1 rounded-lg bg-surface-2 text-14 font-medium hover:bg-surface-3'

function TileFace({ icon, label }: { icon: LucideIcon; label: string }) {
  return (
    <>
      <Icon of={icon} className="text-primary" />
      {label}
    </>
  )
}
