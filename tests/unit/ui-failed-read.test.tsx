// A failed read looks the same everywhere: one icon, its reason once, a retry; offline it only waits.
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PortalError } from '#domain/errors.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'

const failed = (error: Error | null, errorUpdateCount = 1) => ({
  error,
  errorUpdateCount,
  refetch: () => null,
})
const refused = new PortalError('server.failed', 'O servidor não respondeu.', { status: 503 })
const words = (html: string) =>
  html
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '')
    .replaceAll(/<[^>]+>/g, '|')
    .replaceAll(/\|+/g, '|')
const iconOf = (html: string) => /lucide-([a-z-]+)/.exec(html)?.[1]

beforeEach(() => vi.stubGlobal('navigator', { onLine: true }))
afterEach(() => vi.unstubAllGlobals())

describe('uma leitura que falhou', () => {
  test('sem falha, nada aparece', () => {
    expect(renderToStaticMarkup(<FailedRead of={failed(null)} />)).toBe('')
  })

  test('no lugar da página, numa linha ou sobre o que já estava: o mesmo ícone e o mesmo botão', () => {
    const shown = [
      <FailedRead key="page" of={failed(refused)} />,
      <FailedRead key="row" of={failed(refused)} isRow />,
      <FailedRead key="stale" of={failed(refused)} shownFrom="09:41" />,
    ].map((element) => renderToStaticMarkup(element))
    expect(shown.map(iconOf)).toEqual([
      'circle-exclamation-point',
      'circle-exclamation-point',
      'circle-exclamation-point',
    ])
    for (const html of shown) expect(words(html)).toContain('|Tentar de novo|')
    expect(shown.map((html) => html.includes('role="alert"'))).toEqual([true, true, false])
    expect(words(shown[2] ?? '')).toBe(
      '|Não foi possível atualizar.|Mostrando dados de 09:41.|Tentar de novo|',
    )
  })

  test('o motivo aparece uma vez; o código, só quando se repete', () => {
    const once = words(
      renderToStaticMarkup(<FailedRead of={failed(refused)} title="Erro ao carregar roletas" />),
    )
    expect(once).toBe('|Erro ao carregar roletas|O servidor não respondeu.|Tentar de novo|')
    const twice = words(renderToStaticMarkup(<FailedRead of={failed(refused, 2)} />))
    expect(twice).toContain('O servidor não respondeu. Código 503.')
    const said = <FailedRead of={failed(refused)} title={`Erro: ${refused.message}`} isRow />
    expect(words(renderToStaticMarkup(said))).toBe('|Erro: O servidor não respondeu.|Tentar de novo|')
  })

  test('um defeito nosso não mostra o texto dele', () => {
    expect(renderToStaticMarkup(<FailedRead of={failed(new TypeError('x is undefined'))} />)).not.toContain(
      'undefined',
    )
  })

  test('sem internet não há o que apertar: volta sozinho', () => {
    vi.stubGlobal('navigator', { onLine: false })
    const html = renderToStaticMarkup(<FailedRead of={failed(refused)} />)
    expect(iconOf(html)).toBe('cloud-off')
    expect(html).not.toContain('<button')
    expect(words(html)).toContain('Aparece assim que a internet voltar.')
  })
})
