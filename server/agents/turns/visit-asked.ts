// Reads the day, hour and place of a visit that a model asks for, written as SQL reads them; invalid ones are left out.

/** `dia` YYYY-MM-DD of a real day, `hora` HH:MM. */
export function readVisit(args: Record<string, unknown>): { dia?: string; hora?: string; lugar?: string } {
  const [dia, hora, lugar] = [args['dia'], args['hora'], args['lugar']].map((word) =>
    typeof word === 'string' ? word.trim() : '',
  )
  const parts = /^(\d{1,2})(?::|h)(\d{2})?$/i.exec(hora ?? '')
  const [hours, minutes] = [Number(parts?.[1]), Number(parts?.[2] ?? 0)]
  return {
    ...(isDay(dia ?? '') && { dia: dia ?? '' }),
    ...(parts &&
      hours < 24 &&
      minutes < 60 && { hora: `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}` }),
    ...(lugar && { lugar }),
  }
}

/** Refuses days such as 31 February. */
function isDay(text: string): boolean {
  if (!/^20\d{2}-\d{2}-\d{2}$/.test(text)) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
