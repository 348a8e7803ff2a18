// 'Passar para…': chooses a colleague of the team. While a colleague has not answered, it tells who that is and can
// take the lead back.
import { useState } from 'react'
import { passLead } from '#data/passes.ts'
import { displayName } from '#domain/broker.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'

type PassSheetProps = {
  /** The lead to pass; undefined while the sheet is closed. */
  lead: Lead | undefined
  /** The colleagues' instance names. */
  colleagues: readonly string[]
  /** The colleague who has not answered yet. Undefined if the lead is being passed to nobody. */
  waitsFor: string | undefined
  onClose: () => void
}

const FAILED = 'Não deu para guardar neste aparelho. Tente de novo.'

export function PassSheet({ lead, colleagues, waitsFor, onClose }: PassSheetProps) {
  // The closing animation still shows this lead, so that its text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  if (!last) return null
  const title = leadTitle(last)
  const pass = (to: string | null) => {
    onClose()
    const undo = () => void passLead(last, null).catch(() => toast(FAILED, 'error'))
    passLead(last, to).then(
      () =>
        to === null
          ? toast(`${title} fica com você`, 'info')
          : toast(`${displayName(to)} recebe o pedido. Até aceitar, ${title} fica com você.`, 'info', {
              action: { label: 'Desfazer', run: undo },
            }),
      () => toast(FAILED, 'error'),
    )
  }
  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={onClose}
      title="Passar para"
      subtitle={title}
      lead={<Avatar name={last.name} pictureUrl={last.pictureUrl} size={36} />}
    >
      {waitsFor !== undefined && (
        <div className="flex flex-wrap items-center gap-2 px-3 pb-2">
          <p className="min-w-0 grow text-14 text-text-2">Esperando {displayName(waitsFor)} aceitar.</p>
          <Button variant="line" size="small" onClick={() => pass(null)}>
            Ficar com o lead
          </Button>
        </div>
      )}
      <ul className="flex flex-col">
        {colleagues
          .filter((name) => name !== waitsFor)
          .map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => pass(name)}
                className="flex min-h-14 w-full items-center gap-3 rounded-md px-3 text-left text-16 hover:bg-surface-2 md:text-14"
              >
                <Avatar name={displayName(name)} size={36} />
                <span className="min-w-0 grow truncate font-medium">{displayName(name)}</span>
              </button>
            </li>
          ))}
      </ul>
      <p className="px-3 pt-2 text-13 text-text-3">
        Vão junto a conversa, as notas e o próximo passo. Quem recebe responde pelo próprio WhatsApp.
      </p>
    </Dialog>
  )
}
