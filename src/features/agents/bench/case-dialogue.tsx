// What was said in a test, line by line.
import type { BenchLine } from '#domain/agent/bench.ts'

const BY: Readonly<Record<BenchLine['by'], string>> = {
  lead: 'Lead',
  agent: 'Agente',
  human: 'Corretor',
  campaign: 'Campanha',
}
const WORDLESS: Readonly<Record<string, string>> = { audio: 'áudio', image: 'foto', video: 'vídeo' }

export const CaseDialogue = ({ lines }: { lines: readonly BenchLine[] }) =>
  lines.map(({ by, text, kind = 'text' }, place) => (
    // The same words may be said twice.
    <p key={place} className="whitespace-pre-wrap wrap-anywhere">
      <span className="text-text-3">{BY[by]} </span>
      {text || `(${WORDLESS[kind] ?? 'anexo'})`}
    </p>
  ))
