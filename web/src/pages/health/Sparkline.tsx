const WIDTH = 120;
const HEIGHT = 28;
const DAYS = 30;
const DAY_MS = 86_400_000;

/** A bar for each of the last 30 days. */
export function Sparkline({ days }: { days: readonly [count: number, day: string][] }) {
  const today = Math.floor(Date.now() / DAY_MS);
  const most = Math.max(1, ...days.map(([count]) => count));
  const step = WIDTH / DAYS;
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden>
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} stroke="var(--mantine-color-default-border)" />
      {days.map(([count, day]) => {
        const place = DAYS - 1 - (today - Math.floor(Date.parse(day) / DAY_MS));
        const height = Math.max(2, (count / most) * HEIGHT);
        if (place < 0) return null;
        return (
          <rect
            key={day}
            x={place * step + 0.5}
            y={HEIGHT - height}
            width={step - 1}
            height={height}
            fill="var(--mantine-color-orange-6)"
          />
        );
      })}
    </svg>
  );
}
