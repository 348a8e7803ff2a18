// The user's password in Conta; it opens the dialog that every account uses.
import { type ComponentType, useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Section } from './section.tsx'

export type PasswordDialog = ComponentType<{ isOpen: boolean; onClose: () => void }>

export function PasswordCard({ dialog: ChangeDialog }: { dialog: PasswordDialog }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Senha"
      hint="Trocar a senha encerra as suas sessões nos outros aparelhos."
      action={
        <Button variant="line" onClick={() => setOpen(true)}>
          Trocar senha
        </Button>
      }
    >
      <ChangeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  )
}
