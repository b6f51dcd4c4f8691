// Fifty flags, each with one property condition and a rollout, every fifth with variants; and the people they are about.

export const FLAGS = 50;
export const PERSONS = 10_000;
const PROPERTIES = 10;
export const ROLLOUT_PERCENTAGE = 50;
export const VALUES = ['a', 'b'] as const;
export const VARIANTS = ['control', 'test'] as const;

export const flagKeys = Array.from({ length: FLAGS }, (_, at) => `flag-${at}`);
export const hasVariants = (flag: number) => flag % 5 === 0;

/** The property that a flag looks at. */
export const propertyOf = (flag: number) => `property_${flag % PROPERTIES}`;

export const distinctIdOf = (person: number) => `person-${person}`;

export const flagFilters = (at: number) => ({
  groups: [
    {
      properties: [{ key: propertyOf(at), type: 'person', operator: 'exact', value: VALUES }],
      rollout_percentage: ROLLOUT_PERCENTAGE,
    },
  ],
  ...(hasVariants(at) && {
    multivariate: { variants: VARIANTS.map((key) => ({ key, rollout_percentage: 100 / VARIANTS.length })) },
  }),
});

export const propertiesOf = (person: number) =>
  Object.fromEntries(Array.from({ length: PROPERTIES }, (_, at) => [`property_${at}`, 'abc'[(person + at) % 3]]));
