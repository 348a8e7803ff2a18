// The shown stage's name and count. The neighbours' titles are ready beside it for a swipe.
import type { Column } from '../ground/board-view.ts'
import { Count } from '../card/rolling-count.tsx'

type StageTitlesProps = {
  as: 'h1' | 'h2'
  columns: readonly Column[]
  shown: number
  /** Indexes of the stages whose titles a swipe may show. */
  around: readonly number[]
}

const VARIANTS = 'text-26 font-title tracking-heading'

export function StageTitles({ as: Title, columns, shown, around }: StageTitlesProps) {
  return (
    <div className="relative">
      {around.map((index) => {
        const column = columns[index]
        if (!column) return null
        const { slug } = column.stage
        return index === shown ? (
          <Title key={slug} data-title={index} className={VARIANTS}>
            <Words {...column} />
          </Title>
        ) : (
          <p
            key={slug}
            aria-hidden
            data-title={index}
            // A title covers the tools beside it while it fades in.
            className={`pointer-events-none absolute inset-x-0 top-0 leading-tight text-balance opacity-0 ${VARIANTS}`}
          >
            <Words {...column} />
          </p>
        )
      })}
    </div>
  )
}

function Words({ stage, total }: Column) {
  return (
    <>
      {stage.name}{' '}
      <span className="font-count text-text-3">
        (<Count value={total} />)
      </span>
    </>
  )
}
