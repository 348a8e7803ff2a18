// Shown when a screen fails: what happened, and a button to retry.
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { log } from '#api/log.ts'
import { Button } from '#ui/primitives/button.tsx'
import { State } from '#ui/feedback/state.tsx'
import { LOAD_FAILED, RETRY } from '#ui/texts.ts'

export function CrashScreen({ error }: Pick<ErrorComponentProps, 'error'>) {
  useEffect(() => log.error('screen.crashed', error), [error])
  return (
    <main className="flex min-h-dvh flex-col justify-center">
      <State kind="error" title={LOAD_FAILED}>
        {/* The page must reload, because the browser may not load a failed chunk a second time. */}
        <Button onClick={() => location.reload()}>{RETRY}</Button>
      </State>
    </main>
  )
}
