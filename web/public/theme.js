// Runs before the first paint, so that a dark screen does not flash white. The app keeps the choice under this name.
{
  const chosen = localStorage.getItem('tenrec-theme') ?? 'auto';
  const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
}
