// One toast at a time: how long it stays, and which gives way to which. Spec 8, 9; INTERACTIONS 8.
import { afterEach, expect, it } from 'vitest'
import { currentToast, dismissToast, toast } from '#ui/toast.ts'

afterEach(() => {
  dismissToast()
  dismissToast()
})

it.each([
  ['Corretor removido com sucesso!', 'success', 3_000],
  ['Erro ao remover corretor: x', 'error', 5_000],
])('"%s" is a %s for %i ms', (text, tone, durationMs) => {
  toast(text)
  expect(currentToast()).toMatchObject({ text, tone, durationMs })
})

it('with an action stays for 6 s', () => {
  toast('Rogério foi para Conversa', { label: 'Desfazer', run: () => undefined })
  expect(currentToast()).toMatchObject({ durationMs: 6_000, action: { label: 'Desfazer' } })
})

it('gives way to a newer one', () => {
  toast('primeiro')
  toast('segundo')
  expect(currentToast()?.text).toBe('segundo')
  dismissToast()
  expect(currentToast()).toBeNull()
})

it('an error is read before what comes after it, but for another error', () => {
  toast('Erro um')
  toast('tudo bem')
  expect(currentToast()?.text).toBe('Erro um')
  toast('Erro dois')
  expect(currentToast()?.text).toBe('Erro dois')
  dismissToast()
  expect(currentToast()?.text).toBe('tudo bem')
  dismissToast()
  expect(currentToast()).toBeNull()
})
