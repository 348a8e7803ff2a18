// The dialogue of a test, message by message.
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
    // The index is the key, because a text may occur twice.
    <p key={place} className="whitespace-pre-wrap wrap-anywhere">
      <span className="text-text-3">{BY[by]} </span>
      {text || `(${WORDLESS[kind] ?? 'anexo'})`}
    </p>
  ))
