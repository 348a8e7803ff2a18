// Two texts side by side with their differences, on phones one below the other.
import { countOf } from '#domain/count.ts'
import { aroundChanges, type DiffLine, diffRows } from '#domain/diff.ts'
import { classNames } from '#ui/primitives/class-names.ts'

const linesAlike = (count: number) => countOf(count, 'linha igual', 'linhas iguais')

/** The comparison shows this many unchanged lines around each change. */
const CONTEXT = 2

type TextDiffProps = { before: { title: string; text: string }; after: { title: string; text: string } }

export function TextDiff({ before, after }: TextDiffProps) {
  const stretches = aroundChanges(diffRows(before.text, after.text), CONTEXT)
  const isSame = stretches.every((stretch) => 'skipped' in stretch)
  return (
    <div className="overflow-hidden rounded-md shadow-line">
      <div className="hidden grid-cols-2 bg-surface-2 text-13 font-semibold md:grid">
        <p className="px-3 py-2">{before.title}</p>
        <p className="border-l border-border px-3 py-2">{after.title}</p>
      </div>
      <p className="bg-surface-2 px-3 py-2 text-13 font-semibold md:hidden">
        {before.title} → {after.title}
      </p>
      {isSame ? (
        <p className="px-3 py-4 text-14 text-text-2">Os dois textos são iguais.</p>
      ) : (
        <section
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so a keyboard must reach it
          tabIndex={0}
          aria-label={`${before.title}, ${after.title}`}
          className="max-h-[50dvh] overflow-y-auto font-mono text-13 leading-body"
        >
          {stretches.map((stretch, at) =>
            'skipped' in stretch ? (
              // The index is a stable key, because the sections keep their order.
              <p key={at} className="bg-surface-2 px-3 py-1 text-center font-sans text-12 text-text-3">
                {linesAlike(stretch.skipped)}
              </p>
            ) : (
              stretch.rows.map((row) => (
                <div
                  key={`${row.before?.number ?? ''}-${row.after?.number ?? ''}`}
                  className="grid md:grid-cols-2"
                >
                  <Side line={row.before} isChanged={row.isChanged} kind="removed" />
                  <Side line={row.after} isChanged={row.isChanged} kind="added" />
                </div>
              ))
            ),
          )}
        </section>
      )}
    </div>
  )
}

const KIND = {
  removed: {
    ground: 'bg-danger-soft text-on-danger-soft',
    mark: 'rounded-sm bg-danger/20 line-through decoration-1',
    sign: '−',
    spoken: 'retirado: ',
  },
  added: {
    ground: 'bg-success-soft text-on-success-soft',
    mark: 'rounded-sm bg-success/20 font-semibold',
    sign: '+',
    spoken: 'novo: ',
  },
}

type SideProps = { line: DiffLine | null; isChanged: boolean; kind: keyof typeof KIND }

function Side({ line, isChanged, kind }: SideProps) {
  const { ground, mark, sign, spoken } = KIND[kind]
  // On phones both sides form one column, where an unchanged line would appear twice.
  const isRepeated = kind === 'added' && !isChanged
  return (
    <div
      className={classNames(
        'flex min-w-0 gap-2 px-2 py-0.5 md:border-border',
        kind === 'added' && 'md:border-l',
        isChanged && line && ground,
        (isRepeated || !line) && 'max-md:hidden',
      )}
    >
      {line && (
        <>
          <span aria-hidden className="w-8 shrink-0 text-right text-12 opacity-70 select-none">
            {line.number}
          </span>
          <span aria-hidden className="w-2 shrink-0 select-none">
            {isChanged && sign}
          </span>
          <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {isChanged && <span className="sr-only">{spoken}</span>}
            {line.parts.map(({ text, isChanged: isNew }, at) =>
              isNew && line.parts.length > 1 ? (
                // The index is a stable key, because the parts of a line keep their order.
                <span key={at} className={mark}>
                  {text}
                </span>
              ) : (
                text
              ),
            )}
          </span>
        </>
      )}
    </div>
  )
}
