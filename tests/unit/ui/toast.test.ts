// One toast at a time: its tone, its duration, and which replaces which.
import { afterEach, expect, it } from 'vitest'
import { currentToast, dismissToast, toast } from '#ui/feedback/toast.ts'

afterEach(() => {
  dismissToast()
  dismissToast()
})

it.each([
  ['Corretor removido com sucesso!', 'success', 3_000],
  ['Campanha parada · 0 de 3 enviadas', 'info', 3_000],
  ['Erro ao remover corretor: x', 'error', 5_000],
  // The text has no effect: an error need not say 'Erro', and a success may mention one.
  ['Não foi possível marcar a visita.', 'error', 5_000],
  ['Erros corrigidos', 'success', 3_000],
] as const)('"%s" as %s stays %i ms', (text, tone, durationMs) => {
  toast(text, tone)
  expect(currentToast()).toMatchObject({ text, tone, durationMs })
})

it('with an action stays for 6 s', () => {
  toast('Rogério foi para Conversa', 'info', { action: { label: 'Desfazer', run: () => undefined } })
  expect(currentToast()).toMatchObject({ durationMs: 6_000, action: { label: 'Desfazer' } })
})

it('is replaced by a newer one', () => {
  toast('primeiro', 'success')
  toast('segundo', 'info')
  expect(currentToast()?.text).toBe('segundo')
  dismissToast()
  expect(currentToast()).toBeNull()
})

it('an error stays before later toasts, except another error', () => {
  toast('Erro um', 'error')
  toast('tudo bem', 'success')
  expect(currentToast()?.text).toBe('Erro um')
  toast('Erro dois', 'error')
  expect(currentToast()?.text).toBe('Erro dois')
  dismissToast()
  expect(currentToast()?.text).toBe('tudo bem')
  dismissToast()
  expect(currentToast()).toBeNull()
})
