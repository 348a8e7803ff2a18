// 'Sair', with a confirmation if something would be lost.
import { useNavigate } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useWaiting } from '#data/pending.ts'
import { useSession } from '#data/session.ts'
import { exit } from './exit-data.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'

const lostByExit = (count: number) =>
  count === 1
    ? '1 alteração ainda não foi enviada. Saindo agora, ela se perde.'
    : `${count} alterações ainda não foram enviadas. Saindo agora, elas se perdem.`

/** Signs out. The route guards then redirect to the login page of brokers or administrators. */
export function ExitButton({ variant }: { variant: 'line' | 'quiet' }) {
  const navigate = useNavigate()
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  const unsent = useWaiting().length
  const leave = async () => {
    const isAtPanel = session.status === 'in' && session.user.role !== 'broker'
    setBusy(true)
    await exit()
    if (isAtPanel) await navigate({ to: '/panel', replace: true })
  }
  const leaveOrAsk = () => {
    if (unsent === 0) return void leave()
    ask({
      question: 'Sair sem enviar?',
      consequence: lostByExit(unsent),
      action: { label: 'Sair', run: () => void leave() },
      cancelLabel: 'Continuar aqui',
    })
  }
  return (
    <Button variant={variant} icon={LogOut} busy={isBusy && 'Saindo...'} onClick={leaveOrAsk}>
      Sair
    </Button>
  )
}
