// 'Material': finds a development, offline too, and sends up to four things of it.
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, CloudOff } from 'lucide-react'
import { useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { ofLead, stageWords } from '#domain/development/material.ts'
import type { Material } from '#domain/development/material-index.ts'
import { dayAt } from '#domain/dashboard/period.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useNow } from '#ui/now.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { materialQuery, sentLast } from './data.ts'
import { MaterialCard } from './material-card.tsx'
import { MaterialList } from './material-list.tsx'
import { MATERIAL } from './texts.ts'
import './material.css'

type MaterialSheetProps = {
  lead: Lead
  isOpen: boolean
  onClose: () => void
  /** Sends the text and files in the composer first. */
  onBefore: () => void
}

export function MaterialSheet({ lead, isOpen, onClose, onBefore }: MaterialSheetProps) {
  const read = useQuery({ ...materialQuery(), enabled: isOpen })
  const { data: materials } = read
  // Undefined until the broker chooses a development; meanwhile the sheet shows the lead's own one. Null while the list
  // of developments is shown.
  const [openId, setOpenId] = useState<number | null>()
  const today = dayAt(useNow())
  const own = materials ? ofLead(materials, lead) : []
  const material = openId === undefined ? own[0] : materials?.find(({ id }) => id === openId)
  const close = () => {
    setOpenId(undefined)
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={material?.name ?? MATERIAL}
      subtitle={material && <span className="material-stage">{stageWords(material)}</span>}
      lead={
        material && (
          <span className="material-back">
            <IconButton icon={ArrowLeft} label="Todos os empreendimentos" onClick={() => setOpenId(null)} />
          </span>
        )
      }
      width="wide"
    >
      {isOpen && (
        <div className="material">
          {material ? (
            <>
              <OfflineStrip />
              <Card key={material.id} {...{ lead, material, today, onBefore }} onSent={close} />
            </>
          ) : materials ? (
            <MaterialList {...{ materials, own, today }} strip={<OfflineStrip />} onOpen={setOpenId} />
          ) : read.error ? (
            <FailedRead of={read} />
          ) : (
            <Skeleton className="h-40 rounded-md!" />
          )}
        </div>
      )}
    </Dialog>
  )
}

function OfflineStrip() {
  return (
    !useIsOnline() && (
      <p className="material-strip">
        <Icon of={CloudOff} className="shrink-0 text-text-2" />
        Sem conexão. Pode escolher: sai quando a internet voltar.
      </p>
    )
  )
}

type CardProps = { lead: Lead; material: Material; today: string; onBefore: () => void; onSent: () => void }

/** Waits for the phone's record of the last sending, from which the choice starts. */
function Card(props: CardProps) {
  const { data: last, isPending } = useQuery(sentLast())
  return !isPending && <MaterialCard {...props} sentLast={last?.[props.material.id] ?? []} />
}
