// 'Sair', asked about where something would be lost by it.
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useWaiting } from '#data/pending.ts'
import { exit } from './exit-data.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Button } from '#ui/primitives/button.tsx'

const lostByExit = (count: number) =>
  count === 1
    ? '1 alteração ainda não foi enviada. Saindo agora, ela se perde.'
    : `${count} alterações ainda não foram enviadas. Saindo agora, elas se perdem.`

/** Leaving changes the session; the route table then leads to the login. */
type ExitButtonProps = {
  variant: 'line' | 'quiet'
  /** Once nobody is signed in any more. */
  onLeft?: () => void
}

export function ExitButton({ variant, onLeft }: ExitButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const unsent = useWaiting().length
  const leave = () => {
    setBusy(true)
    void exit().then(onLeft)
  }
  const leaveOrAsk = () => {
    if (unsent === 0) return leave()
    ask({
      question: 'Sair sem enviar?',
      consequence: lostByExit(unsent),
      action: { label: 'Sair', run: leave },
      cancelLabel: 'Continuar aqui',
    })
  }
  return (
    <Button variant={variant} icon={LogOut} busy={isBusy && 'Saindo...'} onClick={leaveOrAsk}>
      Sair
    </Button>
  )
}
