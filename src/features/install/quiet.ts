// When something that was not asked for may be offered. INTERACTIONS 8.
import { useUpdate } from '#live/service-worker.ts'
import { useIsIdle } from '#ui/busy.ts'
import { useToast } from '#ui/toast.ts'

/** Nothing else wants an answer: no undo on screen, no new version. */
export function useIsQuiet(): boolean {
  const hasToast = useToast() !== null
  const hasUpdate = useUpdate() !== 'none'
  return useIsIdle() && !hasToast && !hasUpdate
}
