// Finds labelled values in a mail's lines: 'Nome: Ana', 'Nome............: Ana', 'nome=Ana', or 'Nome' in one
// line and 'Ana' in the next.
import type { Answer } from '../reading/answers.ts'
import { meaningOf } from '../reading/labels.ts'

/** Maximum lines below a label that may be its value. A hostile mail may have a label in each line. */
const MAX_BELOW = 5
const MAX_PARAGRAPH = 100
const MAX_LABEL = 40

type Labelled = { label: string; inLine: string }

/** Finds each label once, with its value, and the lines without any label. */
export function pairsIn(lines: readonly string[]): { answers: readonly Answer[]; free: readonly string[] } {
  const answers: Answer[] = []
  const free: string[] = []
  // Cached, because a mail may repeat one line a thousand times.
  const known = new Map<string, Labelled | null>()
  const labelled = lines.map((line) => {
    const one = known.has(line) ? (known.get(line) ?? null) : labelIn(line)
    known.set(line, one)
    return one
  })
  for (let at = 0; at < lines.length; at++) {
    const one = labelled[at] ?? null
    const line = lines[at] ?? ''
    if (one === null) {
      if (line !== '') free.push(line)
      continue
    }
    const isMessage = meaningOf(one.label) === 'message'
    const below = isMessage
      ? paragraphAfter(lines, labelled, { at, inLine: one.inLine })
      : one.inLine === ''
        ? valueAfter(lines, labelled, at)
        : { value: one.inLine, end: at }
    // A label without a value may be a heading.
    if (below.value === '') continue
    answers.push({ label: one.label, texts: [unquoted(below.value)], type: '', path: [] })
    at = below.end
  }
  return { answers, free }
}

/** The label and what follows it; null for a line without a known label. */
function labelIn(line: string): Labelled | null {
  const [, label, inLine = ''] = /^([^:=：]{1,60}?)[\s.*_-]*[:=：]+\s*\**\s*(.*)$/.exec(line) ?? []
  const name = label ?? line
  // URLs and times contain colons, too.
  if (name.length > MAX_LABEL || inLine.startsWith('//') || /\d{1,2}$/.test(name)) return null
  if (meaningOf(name) === null) return null
  return label === undefined && !isLoneLabel(name)
    ? null
    : { label: name, inLine: inLine.replace(/\*+$/, '').trim() }
}

/** A line without a colon counts only if it is nothing but a label, because sentences contain such words. */
const isLoneLabel = (line: string) => line.split(' ').length <= 4 && !/[\d@.!<]/.test(line)

type Below = { value: string; end: number }

function valueAfter(lines: readonly string[], labelled: readonly (Labelled | null)[], at: number): Below {
  for (let next = at + 1; next <= at + MAX_BELOW && next < lines.length; next++) {
    const line = lines[next] ?? ''
    if (line === '') continue
    // The next line is another label with a value of its own.
    return (labelled[next] ?? null) === null ? { value: line, end: next } : { value: '', end: at }
  }
  return { value: '', end: at }
}

function paragraphAfter(
  lines: readonly string[],
  labelled: readonly (Labelled | null)[],
  { at, inLine }: { at: number; inLine: string },
): Below {
  const found = inLine === '' ? [] : [inLine]
  let next = at + 1
  if (inLine === '') while (next < lines.length && next <= at + MAX_BELOW && lines[next] === '') next++
  for (; next < lines.length && found.length < MAX_PARAGRAPH; next++) {
    const line = lines[next] ?? ''
    if (line === '' || (labelled[next] ?? null) !== null || /^(?:--|__|==)/.test(line)) break
    found.push(line)
  }
  return { value: found.join('\n'), end: next - 1 }
}

/** Removes the sender's quotation marks. */
const unquoted = (text: string) =>
  /^["“”«']([^"“”«»]+)["“”»']$/s.exec(text.trim())?.[1]?.trim() ?? text.trim()
