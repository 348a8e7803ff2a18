// Tells who saved the development while it was being edited, and shows what changed; the editor's own version can stay.
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { displayName } from '#domain/broker.ts'
import { type Difference, differences } from '#domain/development/differences.ts'
import { toEdit } from '#domain/development/edit.ts'
import { formatHour } from '#domain/format.ts'
import { Banner } from '#ui/primitives/banner.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import type { DevelopmentDetails } from '../data.ts'
import type { DevelopmentDraft } from './use-development-draft.ts'

type ChangedElsewhereProps = { draft: DevelopmentDraft; standing: DevelopmentDetails }

export function ChangedElsewhere({ draft, standing }: ChangedElsewhereProps) {
  const [isOpen, setOpen] = useState(false)
  const { savedBy, savedAt } = standing
  const who = savedBy === null ? 'Outra pessoa' : displayName(savedBy)
  const when = savedAt === null ? '' : ` às ${formatHour(Date.parse(savedAt))}`
  return (
    <>
      <Banner
        tone="warning"
        icon={CircleAlert}
        action={{ label: 'Ver o que mudou', run: () => setOpen(true) }}
      >
        {`${who} salvou${when}.`}{' '}
        <button
          type="button"
          onClick={draft.keepMine}
          className="min-h-11 font-semibold underline underline-offset-4"
        >
          Ficar com o meu
        </button>
      </Banner>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={`${who} salvou${when}`}>
        <div className="flex flex-col gap-4 px-3">
          <Changes all={differences(draft.before, toEdit(standing))} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              variant="line"
              onClick={() => {
                setOpen(false)
                draft.keepMine()
              }}
            >
              Ficar com o meu
            </Button>
            <Button
              onClick={() => {
                setOpen(false)
                draft.restart()
              }}
            >
              Usar o que foi salvo
            </Button>
          </div>
          <p className="text-13 text-text-3">
            Com o seu, salvar troca o que a outra pessoa mudou. Com o salvo, o que você mudou se perde.
          </p>
        </div>
      </Dialog>
    </>
  )
}

function Changes({ all }: { all: readonly Difference[] }) {
  if (all.length === 0) return <p className="text-14 text-text-2">Nada que apareça neste formulário mudou.</p>
  return (
    <dl className="divide-y divide-border text-14">
      {all.map(({ what, before, after }) => (
        <div key={what} className="flex flex-wrap gap-x-4 py-2.5">
          <dt className="grow font-medium wrap-anywhere">{what}</dt>
          <dd className="text-text-2 wrap-anywhere">
            {before !== '' && (
              <>
                <s>{before}</s> <span className="sr-only">passa a</span>
              </>
            )}{' '}
            {after || 'em branco'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
