// The app's log, to read or to send to support.
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { recentLog } from '#data/diagnostics.ts'
import { formatDateTime } from '#domain/format.ts'
import { Button } from '#ui/primitives/button.tsx'
import { copyText } from '#ui/clipboard.ts'

export function ClientLog() {
  const lines = recentLog()
  const [word, setWord] = useState<string | null>(null)
  const copy = async () => {
    const text = lines.map(({ atMs, level, event, detail }) =>
      [new Date(atMs).toISOString(), level, event, detail].join(' ').trimEnd(),
    )
    setWord(
      (await copyText(text.join('\n')))
        ? 'Registro copiado.'
        : 'Não foi possível copiar. Selecione o registro e copie.',
    )
  }
  return (
    <section>
      <div className="flex flex-wrap items-center justify-between gap-3 pb-2">
        <div>
          <h2 className="text-16 font-semibold">Registro deste aparelho</h2>
          <p className="text-13 text-text-3">
            O que o aplicativo anotou desde que foi aberto, para mandar ao suporte.
          </p>
        </div>
        {lines.length > 0 && (
          <Button variant="line" icon={Copy} onClick={() => void copy()}>
            Copiar registro
          </Button>
        )}
      </div>
      <output className="block pb-2 text-13 text-text-2 empty:hidden">{word}</output>
      {lines.length === 0 ? (
        <p className="text-14 text-text-2">Nenhuma anotação.</p>
      ) : (
        <ol className="flex flex-col gap-1 rounded-lg bg-surface px-4 py-3 text-13 text-text-2 shadow-card">
          {lines.map(({ atMs, level, event, detail }) => (
            <li key={`${atMs} ${event} ${detail}`} className="wrap-anywhere">
              <time dateTime={new Date(atMs).toISOString()} className="tabular-nums">
                {formatDateTime(atMs)}
              </time>{' '}
              {level} {event} {detail}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
