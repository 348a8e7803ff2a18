// 'Carregando...': the whole screen, while nobody knows yet what to show. Spec 2.1.
import { Spinner } from '#ui/spinner.tsx'
import { LOADING } from '#ui/texts.ts'

export function Splash() {
  return (
    <output className="flex min-h-dvh animate-late flex-col items-center justify-center gap-4 text-text-2">
      <Spinner size="large" />
      <span>{LOADING}</span>
    </output>
  )
}
