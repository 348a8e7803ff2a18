// Shows whose password is requested; the input passes the username to password managers.

export function KnownUsername({ username }: { username: string }) {
  return (
    <p className="flex items-center gap-2 text-text-2">
      <span>
        Usuário: <strong className="font-semibold text-text">{username}</strong>
      </span>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
    </p>
  )
}
