// 'Ver como o corretor': previews a development's material as brokers see it; nothing can be sent from here.
import { useQuery } from '@tanstack/react-query'
import { dayAt } from '#domain/dashboard/period.ts'
import { stageWords } from '#domain/development/material.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { useNow } from '#ui/now.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { materialQuery } from './data.ts'
import { MaterialCard } from './material-card.tsx'
import './material.css'

type MaterialPreviewProps = {
  /** The development's id. */
  id: number
  isOpen: boolean
  /** True if the administrator's form has unsaved changes, which the preview lacks. */
  isUnsaved: boolean
  onClose: () => void
}

export function MaterialPreview({ id, isOpen, isUnsaved, onClose }: MaterialPreviewProps) {
  const read = useQuery({ ...materialQuery(), enabled: isOpen, staleTime: 0 })
  const today = dayAt(useNow())
  const material = read.data?.find((each) => each.id === id)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={material?.name ?? 'Ver como o corretor'}
      subtitle={material && <span className="material-stage">{stageWords(material)}</span>}
      width="wide"
    >
      {isOpen && (
        <div className="material">
          <p className="material-strip">
            {isUnsaved
              ? 'Assim o corretor vê. O que você ainda não salvou não aparece.'
              : 'Assim o corretor vê. Nada é enviado daqui.'}
          </p>
          {material ? (
            <MaterialCard
              lead={null}
              material={material}
              today={today}
              sentLast={[]}
              onBefore={onClose}
              onSent={onClose}
            />
          ) : read.data ? (
            <p className="py-8 text-center text-text-2">Está arquivado: os corretores não veem.</p>
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
