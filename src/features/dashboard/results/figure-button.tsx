// A figure as a button that opens its list, with the comparison to the days before.
import type { ReactNode } from 'react'
import type { Compared } from '#domain/dashboard/results/compare.ts'

const TONE = { better: 'text-success', worse: 'text-warning', even: 'text-text-3' }

export type FigureProps = {
  /** What the number counts and whose it is, for example 'Recebidos: Camila'. */
  label: string
  shown: string
  title?: string | undefined
  /** Undefined if the number has no list to open. */
  onOpen?: (() => void) | undefined
  compared?: Compared | null
  isStrong?: boolean
  /** What the row shows beside the number. */
  children?: ReactNode
}

export function FigureCell({
  label,
  shown,
  title,
  onOpen,
  compared,
  isStrong = false,
  children,
}: FigureProps) {
  const look = `tabular-nums whitespace-nowrap ${isStrong ? 'font-semibold' : ''} ${onOpen ? 'underline decoration-border-strong decoration-dotted underline-offset-4' : ''}`
  return (
    <span className="inline-flex flex-col py-1.5 leading-tight min-[40rem]:items-end max-[40rem]:flex-row max-[40rem]:items-baseline max-[40rem]:gap-1.5">
      <span className="inline-flex items-center gap-2.5">
        {children}
        {onOpen ? (
          <button
            type="button"
            aria-label={`${label}: ${shown}. Ver leads`}
            title={title}
            onClick={onOpen}
            className={`-my-3 min-h-11 min-w-8 text-left text-text min-[40rem]:text-right pointer-coarse:min-w-11 lg:-my-2 lg:min-h-9 ${look}`}
          >
            {shown}
          </button>
        ) : (
          <span title={title} className={`text-text ${look}`}>
            {shown}
          </span>
        )}
      </span>
      {compared && (
        <span className={`text-12 whitespace-nowrap ${TONE[compared.tone]}`}>{compared.text}</span>
      )}
    </span>
  )
}
