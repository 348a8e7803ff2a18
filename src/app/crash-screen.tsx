// What a screen that failed shows: what happened and the one thing to do. INTERACTIONS 9.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { log } from '#api/log.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LOAD_FAILED, RETRY } from '#ui/texts.ts'

export function CrashScreen({ error }: Pick<ErrorComponentProps, 'error'>) {
  useEffect(() => log.error('screen.crashed', error), [error])
  return (
    <main role="alert" className="flex min-h-dvh flex-col justify-center">
      <EmptyState icon={CircleAlert} title={LOAD_FAILED}>
        {/* A screen that could not be fetched comes with a new page only. */}
        <Button onClick={() => location.reload()}>{RETRY}</Button>
      </EmptyState>
    </main>
  )
}
