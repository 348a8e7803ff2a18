// The own password in Conta; the dialog is the one of every account.
import { type ComponentType, useState } from 'react'
import { Button } from '#ui/primitives/button.tsx'
import { Section } from './section.tsx'
import { CHANGE_PASSWORD, PASSWORD, PASSWORD_HINT } from './texts.ts'

export type PasswordDialog = ComponentType<{ isOpen: boolean; onClose: () => void }>

export function PasswordCard({ dialog: ChangeDialog }: { dialog: PasswordDialog }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title={PASSWORD}
      hint={PASSWORD_HINT}
      action={
        <Button variant="line" onClick={() => setOpen(true)}>
          {CHANGE_PASSWORD}
        </Button>
      }
    >
      <ChangeDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </Section>
  )
}
