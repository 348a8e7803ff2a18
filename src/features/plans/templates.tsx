// The button that opens the templates of plans. Their dialog is loaded on demand.
import { Repeat } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { lazily } from '#ui/lazily.ts'
import { Button } from '#ui/primitives/button.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'

const dialog = lazily(async () => (await import('./templates-dialog.tsx')).TemplatesDialog)

export function TemplatesButton() {
  const isOnline = useIsOnline()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="line"
        icon={Repeat}
        disabled={!isOnline}
        title={isOnline ? undefined : ONLINE_ONLY}
        onClick={() => dialog.open(() => setOpen(true))}
      >
        Planos de tentativas
      </Button>
      <Suspense>{isOpen && <dialog.Component onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
