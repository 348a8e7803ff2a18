// The labels below the columns of the trend. A month or year is named only where it begins.

type Trend = { step: 'day' | 'week' | 'month' | 'year'; points: readonly { from: string }[] }

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'] as const

/**
 * Two lines for each point: the day, such as '23', and the month, such as 'nov', at the first point and where a month
 * begins.
 */
export function trendLabels({ step, points }: Trend): (readonly [string, string])[] {
  return points.map(({ from }, index) => {
    const [small, large] = parts(step, from)
    const before = points[index - 1]
    return [small, before && parts(step, before.from)[1] === large ? '' : large]
  })
}

function parts(step: Trend['step'], day: string): readonly [string, string] {
  const [year = '', month = '', date = ''] = day.split('-')
  const monthName = MONTHS[Number(month) - 1] ?? month
  if (step === 'year') return [year, '']
  return step === 'month' ? [monthName, year] : [date, monthName]
}
