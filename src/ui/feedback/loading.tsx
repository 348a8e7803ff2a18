// 'Carregando...' in the middle of the page; a short wait shows nothing.
import { useBusy } from '../busy.ts'
import { Spinner } from './spinner.tsx'
import { LOADING } from '../texts.ts'

export function Loading() {
  useBusy(true)
  return (
    <output className="flex grow animate-late flex-col items-center justify-center gap-4 text-text-2">
      <Spinner size="large" />
      <span>{LOADING}</span>
    </output>
  )
}
