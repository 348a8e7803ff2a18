// A closed layer steps back in the history; what the next press opens must not go with it.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { afterStepBack, useBackCloses } from '#ui/primitives/overlay/use-back-closes.ts'

function Layer({ isOpen }: { isOpen: boolean }) {
  useBackCloses(isOpen, () => undefined)
  return null
}

const popped = () => new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))

test('um endereço aberto durante o passo para trás fica', async () => {
  history.replaceState({ page: 'board' }, '')
  const root = createRoot(document.createElement('div'))
  root.render(createElement(Layer, { isOpen: true }))
  await expect.poll(() => history.state?.layer).toBeDefined()
  const back = popped()
  root.render(createElement(Layer, { isOpen: false }))
  // The step begins in a timer; the next press comes before its end.
  const { go } = history
  const begun = new Promise<void>((resolve) => {
    history.go = (steps) => {
      history.go = go
      history.go(steps)
      resolve()
    }
  })
  await begun
  afterStepBack(() => history.pushState({ page: 'conversation' }, ''))
  await back
  await expect.poll(() => history.state?.page).toBe('conversation')
  root.unmount()
})
