// The card lists the listings that the last reading left out, by line and code, and photos that could not be fetched.
import { countOf } from '#domain/count.ts'
import { Card } from '#ui/primitives/card.tsx'
import type { FeedState } from './feed-data.ts'

export function ProblemsCard({ feed }: { feed: FeedState }) {
  const { photos } = feed
  const problems = feed.problems ?? []
  const count = feed.runs.find(({ state }) => state !== 'reading')?.problem_count ?? 0
  const notes = [
    photos.isFull && 'Não há mais espaço para fotos do feed (2 GB). As que já vieram continuam.',
    photos.waiting > 0 && !photos.isFull && `${countOf(photos.waiting, 'foto a buscar', 'fotos a buscar')}.`,
    photos.failed > 0 && `${countOf(photos.failed, 'foto não pôde', 'fotos não puderam')} ser lida.`,
  ].filter((note) => note !== false)
  if (problems.length === 0 && notes.length === 0) return null
  return (
    <Card title="Avisos da última leitura">
      <ul className="max-h-80 overflow-y-auto pb-3">
        {notes.map((note) => (
          <li key={note} className="px-4 py-1.5 text-13 text-text-2 lg:px-5">
            {note}
          </li>
        ))}
        {problems.map(({ line, code, message }) => (
          <li key={`${line} ${code ?? ''} ${message}`} className="px-4 py-1.5 text-13 leading-normal lg:px-5">
            <span className="block font-medium text-text-2">
              {code ?? 'Sem código'} <span className="font-normal text-text-3">· linha {line}</span>
            </span>
            <span className="block text-text-2 wrap-anywhere">{message}</span>
          </li>
        ))}
        {count > problems.length && (
          <li className="px-4 py-1.5 text-13 text-text-3 lg:px-5">
            e mais {countOf(count - problems.length, 'aviso', 'avisos')}
          </li>
        )}
      </ul>
    </Card>
  )
}
