// A small shop's two weeks: enough for every chart to have something to draw.
import { seededRandom } from '../random.ts';
import type { WebProject } from './web-app.ts';

const DAY_MS = 86_400_000;
const PAGES = ['', 'pricing', 'docs', 'blog', 'signup'];
const BROWSERS = ['Chrome', 'Firefox', 'Safari'];
const COUNTRIES = ['DE', 'US', 'FR', 'JP', 'BR'];

/** Sends them and waits until queries see them. */
export async function sendSampleEvents(project: WebProject, people = 12, days = 14): Promise<void> {
  const random = seededRandom(8);
  const batch: object[] = [];
  const today = Date.now();
  for (let person = 0; person < people; person++) {
    const common = {
      $browser: random.pick(BROWSERS),
      $geoip_disable: true,
      $geoip_country_code: random.pick(COUNTRIES),
    };
    for (let day = 0; day < days; day++) {
      if (random.chance(0.5)) continue;
      const at = (minute: number) => new Date(today - day * DAY_MS - minute * 60_000).toISOString();
      const event = (name: string, minute: number, properties: object = {}) =>
        batch.push({
          event: name,
          distinct_id: `person-${person}`,
          timestamp: at(minute),
          properties: { ...common, ...properties },
        });
      event('$pageview', 9, { $current_url: `https://shop.example.com/${random.pick(PAGES)}` });
      event('$pageview', 7, { $current_url: `https://shop.example.com/${random.pick(PAGES)}` });
      if (random.chance(0.5)) event('signed up', 5, { plan: random.pick(['free', 'pro']) });
      if (random.chance(0.3)) event('bought', 2, { price: 10 + random.int(90) });
    }
  }
  await project.capture(batch);
  await project.settled();
}
