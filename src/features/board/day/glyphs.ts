// Icons of a card's line, drawn as CSS masks, which need no elements. The paths are Lucide's.

const drawn = (paths: string) =>
  `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='2.1' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='${paths}'/%3E%3C/svg%3E")`

const CALENDAR = 'M8 2v4M16 2v4M3 10h18M5 4h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2'

export const GLYPHS = {
  waiting: drawn(
    'M5 22h14M5 2h14M17 22v-4.2a2 2 0 0 0-.6-1.4L12 12l-4.4 4.4A2 2 0 0 0 7 17.8V22M7 2v4.2a2 2 0 0 0 .6 1.4L12 12l4.4-4.4A2 2 0 0 0 17 6.2V2',
  ),
  late: drawn(`${CALENDAR}m12-6-4 4m0-4 4 4`),
  call: drawn(
    'M13.8 16.6a1 1 0 0 0 1.2-.3l.4-.5A2 2 0 0 1 17 15h3a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2A18 18 0 0 1 2 4a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v3a2 2 0 0 1-.8 1.6l-.5.4a1 1 0 0 0-.3 1.2 14 14 0 0 0 6.4 6.4',
  ),
  message: drawn(
    'M2.99 16.3a2 2 0 0 1 .1 1.2l-1.1 3.3a1 1 0 0 0 1.2 1.2l3.4-1a2 2 0 0 1 1.1.1 10 10 0 1 0-4.7-4.8',
  ),
  visit: drawn(CALENDAR),
  task: drawn('M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0m7 0 2 2 4-4'),
  origin: drawn(
    'M11 6a13 13 0 0 0 8.4-2.8A1 1 0 0 1 21 4v12a1 1 0 0 1-1.6.8A13 13 0 0 0 11 14H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2zM6 14a12 12 0 0 0 2.4 7.2 2 2 0 0 0 3.2-2.4A8 8 0 0 1 10 14M8 6v8',
  ),
  none: drawn(
    'M10.1 2.2a10 10 0 0 1 3.8 0M13.9 21.8a10 10 0 0 1-3.8 0M17.6 3.7a10 10 0 0 1 2.7 2.7M2.2 13.9a10 10 0 0 1 0-3.8M20.3 17.6a10 10 0 0 1-2.7 2.7M21.8 10.1a10 10 0 0 1 0 3.8M3.7 6.4a10 10 0 0 1 2.7-2.7M6.4 20.3a10 10 0 0 1-2.7-2.7',
  ),
  queue: drawn('M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M12 6v6h4'),
  problem: drawn('M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0M12 8v4M12 16h.01'),
}
