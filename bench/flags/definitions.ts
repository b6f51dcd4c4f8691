// Fifty flags, each with one property condition and a rollout, every fifth with variants; and the people they are about.

export const FLAGS = 50;
export const PERSONS = 10_000;
const PROPERTIES = 10;

export const distinctIdOf = (person: number) => `person-${person}`;

export const flagFilters = (at: number) => ({
  groups: [
    {
      properties: [{ key: `property_${at % PROPERTIES}`, type: 'person', operator: 'exact', value: ['a', 'b'] }],
      rollout_percentage: 50,
    },
  ],
  ...(at % 5 === 0 && {
    multivariate: { variants: ['control', 'test'].map((key) => ({ key, rollout_percentage: 50 })) },
  }),
});

export const propertiesOf = (person: number) =>
  Object.fromEntries(Array.from({ length: PROPERTIES }, (_, at) => [`property_${at}`, 'abc'[(person + at) % 3]]));
