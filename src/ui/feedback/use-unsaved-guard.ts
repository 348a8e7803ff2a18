// Asks before the user leaves a page with unsaved text: by its back button, a link, the browser's Back, or closing.
import { useBlocker, useNavigate, useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { ask } from './ask.ts'
import { STAY } from '../texts.ts'

export function useUnsavedGuard(isDirty: boolean, words: { question: string; consequence: string }) {
  const router = useRouter()
  const navigate = useNavigate()
  const isLeaving = useRef(false)
  // Asks again if the user came back before the next page was shown.
  useLayoutEffect(() => {
    isLeaving.current = false
  }, [])
  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => !isLeaving.current,
    shouldBlockFn: ({ current, next, action }) => {
      // Dialogs over the page are history entries with the same address, so closing one leaves nothing.
      if (isLeaving.current || addressOf(next) === addressOf(current)) return false
      const isLink = action === 'PUSH' || action === 'REPLACE'
      const leave = () => {
        isLeaving.current = true
        // Replaces the question's history entry, so that Back leads to the editor.
        if (isLink) void navigate({ to: next.pathname, search: next.search, replace: true })
        else afterStep(() => router.history.back())
      }
      const question = () =>
        ask({
          ...words,
          cancelLabel: STAY,
          action: { label: 'Sair', run: leave },
        })
      // A step back has already happened and is being reverted. The question opens after that, because the revert would
      // close it.
      if (isLink) question()
      else afterStep(question)
      return true
    },
  })
}

const addressOf = ({ pathname, search }: { pathname: string; search: unknown }) =>
  pathname + JSON.stringify(search)

/** Runs after a step in the history. Steps are asynchronous, and popstate is their last event. */
function afterStep(run: () => void) {
  addEventListener('popstate', () => setTimeout(run), { once: true })
}
