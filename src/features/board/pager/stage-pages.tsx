// The stages of a phone's board side by side: the one on screen and its neighbours.
import { useState } from 'react'
import type { Column } from '../ground/board-view.ts'
import type { CardActions } from '../ground/card-actions.ts'
import type { ListPlace } from '../columns/list-shape.ts'
import { StagePage } from './stage-page.tsx'
import { tabId } from './stage-rail.tsx'
import type { CardListHandle } from '../ground/use-card-focus.ts'

type StagePagesProps = CardActions & {
  columns: readonly Column[]
  panelId: string
  shown: number
  /** Indexes of the stages to render; duplicates and nulls are ignored. */
  inPage: readonly (number | null)[]
  /** The index of the stage that fades out over the new one; null if there is none. */
  fading: number | null
  onFaded: () => void
  /** True if gestures position the strip of pages. */
  isDriven: boolean
  lists: Map<string, CardListHandle>
}

export function StagePages({ columns, panelId, shown, inPage, fading, isDriven, ...page }: StagePagesProps) {
  /** Each stage keeps its scroll position. */
  const [places] = useState(() => new Map<string, ListPlace>())
  return (
    <div data-pages className="relative min-h-0 grow overflow-clip">
      <div
        data-strip
        className="absolute inset-0 group-data-moving/board:will-change-transform"
        style={isDriven ? undefined : { transform: `translateX(${-shown * 100}%)` }}
      >
        {columns.map(
          (column, index) =>
            inPage.includes(index) && (
              <StagePage
                key={column.stage.slug}
                column={column}
                index={index === fading ? shown : index}
                panelId={index === shown ? panelId : undefined}
                labelledBy={tabId(panelId, index)}
                isFading={index === fading}
                places={places}
                {...page}
              />
            ),
        )}
      </div>
    </div>
  )
}
