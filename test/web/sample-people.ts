// Some people of a project, sent by a real SDK: ordinary ones, and those whose data tries to break a page.
import { PostHog } from 'posthog-node';
import type { WebProject } from './web-app.ts';

/** Runs as code on any page that takes it for markup. */
export const HOSTILE = `<img src=x onerror="document.title='taken over'">`;
const RIGHT_TO_LEFT = 'اشترى قبعة';
const LONG = 'long '.repeat(2_000);

export async function sendSamplePeople(project: WebProject): Promise<void> {
  const client = new PostHog(project.key, { host: project.app.url, flushAt: 100 });
  const properties = { $current_url: 'https://shop.example/hats', price: 12.5 };
  client.identify({ distinctId: 'ada', properties: { email: 'ada@example.com', plan: 'pro' } });
  client.identify({ distinctId: 'bob', properties: { name: 'Bob', plan: 'free' } });
  client.capture({ distinctId: 'ada', event: 'bought a hat', properties, groups: { company: 'acme' } });
  client.capture({ distinctId: 'bob', event: 'looked at a hat', properties });
  client.capture({ distinctId: HOSTILE, event: HOSTILE, properties: { [HOSTILE]: HOSTILE, long: LONG } });
  client.capture({ distinctId: 'layla', event: RIGHT_TO_LEFT, properties: { city: 'بيروت' } });
  client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { name: `Acme ${HOSTILE}`, seats: 7 } });
  client.alias({ distinctId: 'bob', alias: 'bob-on-the-phone' });
  await client.shutdown();
  // Two that cannot be taken: nobody did the one, and the other has no name.
  await project.capture([
    { event: 'bought a hat', properties: {} },
    { event: '', distinct_id: 'ada', properties: {} },
  ]);
  await project.settled();
}
