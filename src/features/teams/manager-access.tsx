// The access of a gerente who only leads: makes a new link, or removes the account.
import { useMutation } from '@tanstack/react-query'
import { KeyRound, Trash2 } from 'lucide-react'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { displayName } from '#domain/broker.ts'
import { ask } from '#ui/feedback/ask.ts'
import { toast } from '#ui/feedback/toast.ts'
import { IconButton } from '#ui/primitives/button.tsx'
import { type Manager, removeManager, resetManager } from './data.ts'

const REMOVE = 'Remover'
const RESET = 'Redefinir acesso'

type ManagerAccessProps = { manager: Manager; onInvited: (invitation: PanelInvitation) => void }

/** Asks for a confirmation only if the gerente has a password, because a new link would delete it. */
export function ManagerAccess({ manager, onInvited }: ManagerAccessProps) {
  const { username, hasPassword } = manager
  const name = displayName(username)
  const reset = useMutation({
    ...resetManager(),
    onSuccess: onInvited,
    onError: ({ message }) => toast(`Erro ao redefinir o acesso: ${message}`, 'error'),
  })
  const removal = useMutation({
    ...removeManager(),
    onSuccess: () => toast('Gerente removido com sucesso!', 'success'),
    onError: ({ message }) => toast(`Erro ao remover gerente: ${message}`, 'error'),
  })
  const askReset = () =>
    ask({
      question: `Redefinir o acesso de ${name}?`,
      consequence: `A senha e a verificação em duas etapas de ${name} deixam de valer, e ${name} sai de todos os aparelhos. Você recebe um link para ${name} criar outra senha.`,
      action: { label: RESET, run: () => reset.mutate(manager) },
    })
  const askRemoval = () =>
    ask({
      question: `Remover ${name}?`,
      consequence: `${name} perde o acesso na hora. O que fez continua na auditoria.`,
      action: { label: REMOVE, run: () => removal.mutate(manager) },
    })
  const renewal = hasPassword ? RESET : 'Novo link de acesso'
  return (
    <>
      <IconButton
        icon={KeyRound}
        label={`${renewal}: ${name}`}
        title={renewal}
        disabled={reset.isPending}
        onClick={hasPassword ? askReset : () => reset.mutate(manager)}
      />
      <IconButton
        icon={Trash2}
        label={`${REMOVE}: ${name}`}
        title={REMOVE}
        disabled={removal.isPending}
        onClick={askRemoval}
      />
    </>
  )
}
