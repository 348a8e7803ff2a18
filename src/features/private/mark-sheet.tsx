// 'Marcar como particular': explains the effects first, or why this lead cannot be marked.
import { useQuery } from '@tanstack/react-query'
import { BotOff, ChartColumn, EyeOff, type LucideIcon, MegaphoneOff, SquareKanban } from 'lucide-react'
import { useState } from 'react'
import { moveLead } from '#data/board/moves.ts'
import { useBoardHead } from '#data/board/leads.ts'
import { askAdministrator, markPrivate, staysQuery } from '#data/private.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { CANCEL } from '#ui/texts.ts'
import { leftTheBoard, MARK, MARK_FAILED, STAYS } from './texts.ts'

const EFFECTS: readonly (readonly [LucideIcon, string])[] = [
  [SquareKanban, 'Sai do quadro e de Hoje'],
  [EyeOff, 'Ninguém mais vê, nem o administrador'],
  [ChartColumn, 'Não entra em números nem relatórios'],
  [BotOff, 'O assistente não lê nem responde'],
  [MegaphoneOff, 'Não recebe campanha'],
]

type MarkSheetProps = {
  /** The lead to mark; undefined while the sheet is closed. */
  lead: Lead | undefined
  /**
   * Administrators may mark leads, also the agency's own, if a broker asks for it. They cannot undo it, because the
   * list of private contacts belongs to the broker.
   */
  isAdmin?: boolean
  onClose: () => void
  /** Called after the lead has vanished from the board or its stage. */
  onDone: () => void
}

export function MarkSheet({ lead, isAdmin = false, onClose, onDone }: MarkSheetProps) {
  // The closing animation still shows this lead, so that its text does not vanish at once.
  const [last, setLast] = useState(lead)
  if (lead && lead !== last) setLast(lead)
  const { data: why, fetchStatus } = useQuery({
    ...staysQuery(last?.id ?? 0),
    enabled: lead !== undefined && lead.id > 0 && !isAdmin,
  })
  if (!last) return null
  const who = [leadTitle(last), last.name && last.number ? formatPhone(last.number) : null]
  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={onClose}
      title={why ? STAYS : MARK}
      subtitle={who.filter(Boolean).join(' · ')}
      lead={<Avatar name={last.name} pictureUrl={last.pictureUrl} size={36} />}
    >
      {why ? (
        <Staying lead={last} why={why} onClose={onClose} onDone={onDone} />
      ) : (
        <Marking
          lead={last}
          isAdmin={isAdmin}
          isAsking={fetchStatus === 'fetching'}
          onClose={onClose}
          onDone={onDone}
        />
      )}
    </Dialog>
  )
}

type PartProps = { lead: Lead; onClose: () => void; onDone: () => void }

type MarkingProps = PartProps & { isAdmin: boolean; isAsking: boolean }

function Marking({ lead, isAdmin, isAsking, onClose, onDone }: MarkingProps) {
  const mark = () => {
    onClose()
    markPrivate(lead, { keepsName: !isAdmin }).then(
      (takeBack) => {
        onDone()
        const run = () => void takeBack().catch(() => toast(MARK_FAILED, 'error'))
        toast(leftTheBoard(leadTitle(lead)), 'info', isAdmin ? {} : { action: { label: 'Desfazer', run } })
      },
      () => toast(MARK_FAILED, 'error'),
    )
  }
  return (
    <div className="flex flex-col gap-4 px-3 pt-1">
      <p className="text-15 leading-body text-text-2">Para família, amigos e fornecedores. Ao marcar:</p>
      <ul className="flex flex-col gap-3">
        {EFFECTS.map(([icon, words]) => (
          <li key={words} className="flex items-center gap-3.5 text-15">
            <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-surface-2 text-text-2">
              <Icon of={icon} size={18} />
            </span>
            {words}
          </li>
        ))}
      </ul>
      <p className="rounded-lg bg-surface-2 px-3.5 py-3 text-14 leading-body text-text-2">
        A conversa continua só no seu WhatsApp. A cópia que o portal guardou é apagada. Para voltar atrás:
        Conta › Particulares.
      </p>
      <div className="flex flex-col gap-2.5">
        <Button size="large" disabled={isAsking} onClick={mark}>
          {MARK}
        </Button>
        <Button variant="quiet" size="large" onClick={onClose}>
          {CANCEL}
        </Button>
      </div>
    </div>
  )
}

function Staying({ lead, why, onClose, onDone }: PartProps & { why: string }) {
  const { stages } = useBoardHead(lead.instanceName)
  const archive = stages.find(({ kind }) => kind === 'lost')
  const ask = () => {
    onClose()
    askAdministrator(lead.id).then(
      () => toast('Pedido enviado ao administrador', 'success'),
      () => toast('Não foi possível pedir. Tente de novo com internet.', 'error'),
    )
  }
  const leave = (slug: string) => {
    onClose()
    moveLead(lead, slug).then(onDone, () => toast('Não foi possível arquivar. Tente de novo.', 'error'))
  }
  return (
    <div className="flex flex-col gap-4 px-3 pt-1 text-15 leading-body text-text-2">
      <p>{why}</p>
      <p>Se foi engano, peça ao administrador. Se não quer mais atender, arquive ou passe o lead.</p>
      <div className="flex flex-col gap-2.5">
        <Button variant="soft" size="large" onClick={ask}>
          Pedir ao administrador
        </Button>
        {archive && lead.stageSlug !== archive.slug && (
          <Button variant="quiet" size="large" onClick={() => leave(archive.slug)}>
            Arquivar
          </Button>
        )}
      </div>
    </div>
  )
}
