// The providers around all screens: session, routes, toasts, confirmations, and the work that runs while a user is
// signed in.
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { watchClock } from '#api/clock.ts'
import { sessionNow, useSession } from '#data/session.ts'
import { useQuestion } from '#ui/feedback/ask.ts'
import { setClockAhead } from '#ui/now.ts'
import { untilHere } from '#ui/arrival.ts'
import { lazily, useIdlePreload } from '#ui/lazily.ts'
import { silence } from '#ui/feedback/toast.ts'
import { Toasts } from '#ui/feedback/toasts.tsx'
import { router } from './router.tsx'
import { Splash } from './splash.tsx'
import { MaintenanceLoader } from './maintenance-loader.tsx'

const questions = lazily(async () => (await import('#ui/feedback/confirm.tsx')).Questions)

watchClock(setClockAhead)

/** Starts that work, whose code comes with the board's screens. Returns the function that stops it. */
function workWhileSignedIn(): () => void {
  let stop: (() => void) | null = null
  let isOver = false
  void untilHere(async () => (await import('./broker-start.ts')).beginWork).then((begin) => {
    const session = sessionNow()
    if (!isOver && session.status === 'in') stop = begin(session.user)
  })
  return () => {
    isOver = true
    stop?.()
  }
}

export function Providers() {
  const session = useSession()
  // A change of session runs the guards again, which redirect after a sign-in and after 'Sair'.
  useEffect(() => {
    if (session.status !== 'unknown') void router.invalidate()
  }, [session])
  const userId = session.status === 'in' ? session.user.id : null
  useEffect(() => (userId === null ? silence() : workWhileSignedIn()), [userId])
  if (session.status === 'unknown') return <Splash />
  return (
    <>
      <RouterProvider router={router} context={{ session }} />
      <Toasts />
      {userId !== null && <QuestionsOnceAsked />}
      {/* Also on the login page. When the user changes, it waits again for the first screen. */}
      <MaintenanceLoader
        key={userId}
        user={session.status === 'in' ? session.user : null}
        onOpen={(path) => router.history.push(path)}
      />
    </>
  )
}

function QuestionsOnceAsked() {
  const question = useQuestion()
  const [hasAsked, setAsked] = useState(false)
  if (question && !hasAsked) setAsked(true)
  useIdlePreload(questions.load)
  return <Suspense>{hasAsked && <questions.Component />}</Suspense>
}
