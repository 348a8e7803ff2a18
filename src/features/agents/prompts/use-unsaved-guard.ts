// Asks before a page with unsaved words is left: by its own way back, by any link, by the browser's Back, by closing.
import { useBlocker, useNavigate, useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { ask } from '#ui/feedback/ask.ts'
import { STAY } from '../texts.ts'

export function useUnsavedGuard(isDirty: boolean) {
  const router = useRouter()
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  // Who comes back before the next page was there finds this one as it was, and is asked again.
  useLayoutEffect(() => {
    isLeaving.current = false
  }, [])
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => !isLeaving.current,
    shouldBlockFn: ({ current, next, action }) => {
      // Dialogs over the page are steps of the same address.
      if (isLeaving.current || next.pathname === current.pathname) return false
      const isLink = action === 'PUSH' || action === 'REPLACE'
      const leave = () => {
        isLeaving.current = true
        // In the place of the dialog's own step: Back leads to the editor from there.
        if (isLink) void navigate({ to: next.pathname, search: next.search, replace: true })
        else afterStep(() => router.history.back())
      }
      const question = () =>
        ask({
          question: 'Você tem alterações não salvas. Deseja sair mesmo assim?',
          consequence:
            'O agente continua com o texto salvo. O que você escreveu fica guardado neste aparelho como rascunho.',
          cancelLabel: STAY,
          action: { label: 'Sair', run: leave },
        })
      // A step back was taken already and is taken forth again: a dialog that opened before would cut that off.
      if (isLink) question()
      else afterStep(question)
      return true
    },
  })
}

/** Steps of history are taken a moment after they are asked for; the browser's own word for it comes last. */
function afterStep(run: () => void) {
  addEventListener('popstate', () => setTimeout(run), { once: true })
}
