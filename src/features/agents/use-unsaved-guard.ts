// Asks before a page with unsaved words is left: by its own way back, by any link, by the browser's Back, by closing. Spec 2.14, 5.
import { useBlocker, useNavigate, useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import { ask } from '#ui/ask.ts'
import { LEAVE, LEAVE_CONSEQUENCE, LEAVE_QUESTION, STAY } from './texts.ts'

export function useUnsavedGuard(isDirty: boolean) {
  const router = useRouter()
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => !isLeaving.current,
    shouldBlockFn: ({ current, next, action }) => {
      // Dialogs over the page are steps of the same address.
      if (isLeaving.current || next.pathname === current.pathname) return false
      ask({
        question: LEAVE_QUESTION,
        consequence: LEAVE_CONSEQUENCE,
        cancelLabel: STAY,
        action: {
          label: LEAVE,
          run: () => {
            isLeaving.current = true
            if (action === 'BACK') afterDialog(() => router.history.back())
            // In the place of the dialog's own step: Back leads to the editor from there.
            else void navigate({ to: next.pathname, search: next.search, replace: true })
          },
        },
      })
      return true
    },
  })
}

/** A dialog that closes takes its step of history back, and only then the page's own steps can be gone. */
function afterDialog(run: () => void) {
  addEventListener('popstate', () => setTimeout(run), { once: true })
}
