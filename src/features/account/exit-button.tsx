// 'Sair'. Spec 2.4, 2.17, 4.
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { exit } from '#data/session.ts'
import { Button } from '#ui/button.tsx'

/** Leaving changes the session; the route table then leads to the login. */
export function ExitButton({ variant }: { variant: 'line' | 'quiet' }) {
  const [isBusy, setBusy] = useState(false)
  const leave = () => {
    setBusy(true)
    void exit()
  }
  return (
    <Button variant={variant} icon={LogOut} busy={isBusy && 'Saindo...'} onClick={leave}>
      Sair
    </Button>
  )
}
