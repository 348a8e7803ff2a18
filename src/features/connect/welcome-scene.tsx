// The portal's only illustration: a house with a speech bubble in the morning sun.

export function WelcomeScene() {
  return (
    <svg viewBox="0 0 342 230" aria-hidden className="block w-full">
      <rect width="342" height="230" rx="28" className="fill-primary-soft" />
      <circle cx="258" cy="66" r="25" className="fill-sun" />
      <path
        d="M0 180c60-26 120-24 180-10s110 8 162-12v44a28 28 0 0 1-28 28H28a28 28 0 0 1-28-28Z"
        className="fill-primary-soft-2"
      />
      <path
        d="M64 130 128 76a9 9 0 0 1 12 0l64 54v58a12 12 0 0 1-12 12h-70l-30 23c-4 3-9 0-9-4v-19h-7a12 12 0 0 1-12-12Z"
        className="fill-surface"
      />
      <path d="M116 200v-38a18 18 0 0 1 36 0v38Z" className="fill-primary" />
      <rect x="172" y="138" width="19" height="19" rx="4" className="fill-sun" />
      <rect x="222" y="112" width="84" height="44" rx="16" className="fill-primary" />
      <path d="M240 150v20l18-16Z" className="fill-primary" />
      <g className="fill-surface">
        <circle cx="247" cy="134" r="4.5" />
        <circle cx="264" cy="134" r="4.5" />
        <circle cx="281" cy="134" r="4.5" />
      </g>
    </svg>
  )
}
