// The board on a phone with its search, which covers it: the board below keeps its stage and its place. INTERACTIONS 2, 7, 9.
import { Search } from 'lucide-react'
import { type ComponentProps, useRef, useState } from 'react'
import { IconButton } from '#ui/button.tsx'
import { PagerBoard } from './pager-board.tsx'
import { useSearchKey } from './search-field.tsx'
import { SearchScreen } from './search-screen.tsx'
import { SEARCH } from './search-texts.ts'

type NarrowBoardProps = Omit<ComponentProps<typeof PagerBoard>, 'tools'>

export function NarrowBoard(board: NarrowBoardProps) {
  /** undefined: the board is seen. */
  const [text, setText] = useState<string>()
  const isSearching = text !== undefined
  const opener = useRef<HTMLDivElement>(null)
  const open = () => setText('')
  const close = () => {
    setText(undefined)
    // The field goes, and with it the focus.
    requestAnimationFrame(() => opener.current?.querySelector('button')?.focus())
  }
  useSearchKey(() => !isSearching && open())
  const { columns, onOpen, onNotes, onMoveSheet, onPending } = board
  return (
    <>
      <div inert={isSearching} className="flex min-h-0 grow flex-col">
        <PagerBoard
          {...board}
          tools={
            <div ref={opener} className="-mr-1 flex">
              <IconButton icon={Search} label={SEARCH} onClick={open} />
            </div>
          }
        />
      </div>
      {isSearching && (
        <SearchScreen
          columns={columns}
          text={text}
          onText={setText}
          onClose={close}
          {...{ onOpen, onNotes, onMoveSheet, onPending }}
        />
      )}
    </>
  )
}
