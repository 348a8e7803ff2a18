// The shown stage's name and count; its neighbours' names wait beside it.
import type { Column } from '../ground/board-view.ts'
import { Count } from '../card/rolling-count.tsx'

type StageTitlesProps = {
  as: 'h1' | 'h2'
  columns: readonly Column[]
  shown: number
  /** The stages that may become visible. */
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
            // While it fades in it covers the tools beside the title.
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
