// One administrator in the list.
import { useMutation } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { type Admin, removeAdmin, resetAdmin } from './data.ts'
import { formatRelative } from '#domain/format.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Badge } from '#ui/primitives/badge.tsx'
import { IconButton } from '#ui/primitives/button.tsx'
import { useNow } from '#ui/now.ts'
import { toast } from '#ui/feedback/toast.ts'

const REMOVE = 'Remover'

const resetConsequence = (name: string) =>
  `A senha e a verificação em duas etapas de ${name} deixam de valer, e ${name} sai de todos os aparelhos. Você recebe um link para ${name} criar outra senha.`

const RESET = 'Redefinir acesso'

type AdminRowProps = {
  admin: Admin
  isSelf: boolean
  isOnline: boolean
  onInvited: (invitation: PanelInvitation) => void
}

export function AdminRow({ admin, isSelf, isOnline, onInvited }: AdminRowProps) {
  const { username, hasPassword, hasSecondStep } = admin
  const reset = useReset(admin, onInvited)
  const removal = useRemoval(admin)
  const renewal = hasPassword ? RESET : 'Novo link de acesso'
  return (
    <li className="flex min-h-15 items-center gap-3 border-t border-border py-2 first:border-t-0">
      <Avatar name={username} size={36} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {username}
          {isSelf && <span className="text-13 font-normal text-text-3">({'você'})</span>}
          {hasSecondStep && <Badge tone="success">Duas etapas</Badge>}
        </p>
        <p className="mt-0.5 text-13 text-text-3">
          <LastSeen admin={admin} />
        </p>
      </div>
      {!isSelf && (
        <>
          <IconButton
            icon={KeyRound}
            label={`${renewal}: ${username}`}
            title={renewal}
            disabled={!isOnline || reset.isPending}
            onClick={reset.run}
          />
          <IconButton
            icon={Trash2}
            label={`${REMOVE}: ${username}`}
            title={REMOVE}
            disabled={!isOnline || removal.isPending}
            onClick={removal.run}
          />
        </>
      )}
    </li>
  )
}

/** Asks for confirmation only if a password would be lost. An account without password just gets a new link. */
function useReset({ id, username, hasPassword }: Admin, onInvited: AdminRowProps['onInvited']) {
  const { mutate, isPending } = useMutation({
    ...resetAdmin(),
    onSuccess: onInvited,
    onError: ({ message }) => toast(`Erro ao redefinir o acesso: ${message}`, 'error'),
  })
  const reset = () => mutate({ id })
  const askFirst = () =>
    ask({
      question: `Redefinir o acesso de ${username}?`,
      consequence: resetConsequence(username),
      action: { label: RESET, run: reset },
    })
  return { run: hasPassword ? askFirst : reset, isPending }
}

/** The hook's callbacks run even after the row is gone; those of the `mutate` call would not. */
function useRemoval({ id, username }: Admin) {
  const { mutate, isPending } = useMutation({
    ...removeAdmin(),
    onSuccess: () => toast('Administrador removido com sucesso!', 'success'),
    onError: ({ message }) => toast(`Erro ao remover administrador: ${message}`, 'error'),
  })
  const run = () =>
    ask({
      question: `Remover ${username}?`,
      consequence: `${username} perde o acesso na hora. O que fez continua na auditoria.`,
      action: { label: REMOVE, run: () => mutate({ id }) },
    })
  return { run, isPending }
}

function LastSeen({ admin: { hasPassword, seenAtMs } }: { admin: Admin }) {
  const nowMs = useNow()
  if (!hasPassword) return 'Aguardando primeiro acesso'
  return seenAtMs === null ? 'Nunca entrou' : `Visto ${formatRelative(seenAtMs, nowMs)}`
}
