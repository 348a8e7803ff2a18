// What stands where something could not be loaded: that, and the way to try again. DESIGN-SYSTEM 9; INTERACTIONS 9.
import { CloudOff } from 'lucide-react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { LOAD_FAILED, RETRY } from './texts.ts'

type LoadFailedProps = { title?: string; hint?: string; onRetry: () => void }

export function LoadFailed({ title = LOAD_FAILED, hint = '', onRetry }: LoadFailedProps) {
  return (
    <EmptyState icon={CloudOff} title={title} hint={hint}>
      <Button variant="soft" onClick={onRetry}>
        {RETRY}
      </Button>
    </EmptyState>
  )
}
