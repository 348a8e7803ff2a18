// Where photos of a conversation open as large as the window: outside of its lines, whose gestures are not meant there.
import { createContext, type ReactNode, Suspense, useCallback, useState } from 'react'
import { lazily } from '#ui/lazily.ts'

const viewer = lazily(async () => (await import('./photo-viewer.tsx')).PhotoViewer)

/** Null where nothing shows them. */
export const ShowPhoto = createContext<((url: string) => void) | null>(null)

export function PhotoPlace({ children }: { children: ReactNode }) {
  // Once shown it stays, closed, so that the focus finds its way back.
  const [shown, setShown] = useState<{ url: string | undefined }>()
  const show = useCallback((url: string) => viewer.open(() => setShown({ url })), [])
  return (
    <>
      <ShowPhoto value={show}>{children}</ShowPhoto>
      <Suspense>
        {shown && <viewer.Component url={shown.url} onClose={() => setShown({ url: undefined })} />}
      </Suspense>
    </>
  )
}
